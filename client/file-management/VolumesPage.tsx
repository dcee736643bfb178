import { Button, TextInput } from '@mantine/core'
import { IconDatabaseOff, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Volume } from '#events/snapshots.ts'
import { useLinks } from '../app/links.ts'
import { Card } from '../ui/Card.tsx'
import { Count } from '../ui/Count.tsx'
import { Meter } from '../ui/Meter.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { Size } from '../ui/Size.tsx'
import { counted } from '../ui/text/count.ts'
import { UsagePercent } from '../ui/UsagePercent.tsx'
import { useVolumes } from '../parts/storages/useVolumes.ts'
import { usedShare, volumeKind, volumeName } from '../parts/storages/volumeWords.ts'
import classes from './Volumes.module.css'

/** The volumes of the snapshot, of which one is opened. */
export function VolumesPage() {
  const volumes = useVolumes()
  const links = useLinks()
  const [filter, setFilter] = useState('')
  return (
    <Page
      title="File Management"
      actions={
        <>
          <Button component={Link} href={links.comparison()} variant="default">
            Compare
          </Button>
          <TextInput
            aria-label="Filter the volumes"
            placeholder="Filter"
            leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
            value={filter}
            onChange={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        </>
      }
    >
      <Card title="Volumes" remote={volumes} note={volumes.data && counted(volumes.data.total, 'volume')}>
        {({ elements }) => <Volumes volumes={elements.filter((volume) => isMeant(volume, filter))} />}
      </Card>
    </Page>
  )
}

const isMeant = (volume: Volume, filter: string) =>
  [volumeName(volume), volume.path, volumeKind(volume)].some((text) =>
    text.toLowerCase().includes(filter.trim().toLowerCase()),
  )

function Volumes({ volumes }: { volumes: Volume[] }) {
  if (volumes.length === 0) return <Notice icon={IconDatabaseOff}>No volumes found</Notice>
  return (
    <ul className={classes.volumes}>
      {volumes.map((volume) => (
        <VolumeCard key={volume.id} volume={volume} />
      ))}
    </ul>
  )
}

function VolumeCard({ volume }: { volume: Volume }) {
  const links = useLinks()
  const share = usedShare(volume)
  return (
    <li>
      <Link className={classes.volume} href={links.fileManagement({ path: '/', volumeId: volume.id })}>
        <span className={classes.name}>
          <span title={volume.path}>{volumeName(volume)}</span>
          <span className={classes.quiet}>{volumeKind(volume)}</span>
        </span>
        {share === undefined ? (
          <span className={classes.quiet}>Capacity unknown</span>
        ) : (
          <>
            <Meter share={share} label={`${volumeName(volume)}: used`} />
            <span className={classes.line}>
              <UsagePercent share={share} />
              <span className={classes.quiet}>
                <Size bytes={volume.used ?? 0} /> of <Size bytes={volume.total ?? 0} />
              </span>
            </span>
          </>
        )}
        <span className={classes.line}>
          <span>
            <Size bytes={volume.sizeOfFiles} /> in <Count of={volume.numberOfFiles} one="file" />
          </span>
          <span className={classes.quiet}>{volume.indexingDate}</span>
        </span>
      </Link>
    </li>
  )
}
