import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconDatabaseOff, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { groupByDisk, usedShare } from '#events/capacity.ts'
import type { Volume } from '#events/snapshots.ts'
import { useLinks } from '#client/app/links.ts'
import { useStorageStates } from '#client/app/storageStates.ts'
import { Card } from '#client/ui/Card.tsx'
import { Count } from '#client/ui/values/Count.tsx'
import { Meter } from '#client/ui/values/Meter.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Page } from '#client/ui/Page.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { counted } from '#client/ui/text/count.ts'
import { Panel } from '#client/ui/Panel.tsx'
import { Toolbar } from '#client/ui/Toolbar.tsx'
import { UsagePercent } from '#client/ui/values/UsagePercent.tsx'
import { useVolumes } from '#client/parts/storages/useVolumes.ts'
import { DiskSpace, noCapacityText } from '#client/parts/storages/DiskSpace.tsx'
import { LiveBadge } from '#client/parts/storages/LiveBadge.tsx'
import { ScanNow } from '#client/parts/storages/ScanNow.tsx'
import { StorageMarks } from '#client/parts/storages/StorageMarks.tsx'
import { scanProblem } from '#client/parts/storages/stateWords.ts'
import { diskName, volumeKind, volumeName } from '#client/parts/storages/volumeWords.ts'
import classes from './Volumes.module.css'

/** List of the volumes in the snapshot. */
export function VolumesPage() {
  const volumes = useVolumes()
  const links = useLinks()
  const [filter, setFilter] = useState('')
  const [order, setOrder] = useState<Order>('By name')
  return (
    <Page
      title="File Management"
      actions={
        <>
          <Button component={Link} href={links.comparison()} variant="default">
            Compare
          </Button>
          <TextInput
            aria-label="Filter the storages"
            placeholder="Filter"
            leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
            value={filter}
            onChange={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        </>
      }
    >
      <Card
        title="Storages"
        remote={volumes}
        note={volumes.data && counted(volumes.data.total, 'storage')}
        actions={
          <NativeSelect
            size="xs"
            aria-label="Order"
            data={Object.keys(orders)}
            value={order}
            onChange={({ currentTarget }) => setOrder(currentTarget.value as Order)}
          />
        }
      >
        {({ elements }) => (
          <Toolbar label="Storages" items="[data-card]">
            <Volumes volumes={elements.filter((volume) => matchesFilter(volume, filter)).sort(orders[order])} />
          </Toolbar>
        )}
      </Card>
      <NotScannedCard filter={filter} />
    </Page>
  )
}

const orders = {
  'By name': () => 0,
  'Fullest first': (one: Volume, other: Volume) => (usedShare(other) ?? -1) - (usedShare(one) ?? -1),
  'Largest first': (one: Volume, other: Volume) => other.sizeOfFiles - one.sizeOfFiles,
}
type Order = keyof typeof orders

const matchesFilter = (volume: Volume, filter: string) =>
  includesText([volumeName(volume), volume.fullPath, volumeKind(volume)], filter)

const includesText = (texts: string[], filter: string) =>
  texts.some((text) => text.toLowerCase().includes(filter.trim().toLowerCase()))

function Volumes({ volumes }: { volumes: Volume[] }) {
  if (volumes.length === 0) return <Notice icon={IconDatabaseOff}>No storages found</Notice>
  return (
    <ul className={classes.volumes}>
      {groupByDisk(volumes).map(([volume, ...others]) =>
        !volume ? null : others.length === 0 ? (
          <VolumeCard key={volume.id} volume={volume} />
        ) : (
          <SharedDisk key={volume.id} disk={volume} volumes={[volume, ...others]} />
        ),
      )}
    </ul>
  )
}

/** Storages without any snapshot, which the list of a snapshot can't contain. Hidden without any. */
function NotScannedCard({ filter }: { filter: string }) {
  const states = useStorageStates().data ?? []
  const shown = states.filter(
    (state) => !state.isScanned && includesText([volumeName(state), volumeKind(state)], filter),
  )
  if (shown.length === 0) return null
  return (
    <Panel title="Not scanned yet" note={counted(shown.length, 'storage')}>
      <ul className={classes.volumes}>
        {shown.map((state) => (
          <li key={state.volumeId} className={classes.unscanned}>
            <span className="flex between baseline gap-12">
              <span className="truncate bold">{volumeName(state)}</span>
              <span className="muted small nowrap">{volumeKind(state)}</span>
            </span>
            <span>{scanProblem(state)}</span>
            <ScanNow state={state} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function VolumeCard({ volume, isPart = false }: { volume: Volume; isPart?: boolean }) {
  const links = useLinks()
  return (
    <li>
      <Link className={classes.volume} data-card href={links.fileManagement({ path: '/', volumeId: volume.id })}>
        <span className="flex between baseline gap-12">
          <span className="truncate bold" title={volume.fullPath}>
            {volumeName(volume)}
          </span>
          <span className="muted small nowrap">{volumeKind(volume)}</span>
        </span>
        {!isPart && <Usage disk={volume} name={volumeName(volume)} />}
        <Files volume={volume} />
        <LiveBadge volumeId={volume.id} asOf={volume.asOf} />
        <StorageMarks volumeId={volume.id} />
      </Link>
    </li>
  )
}

/** A disk with the storages on it. */
function SharedDisk({ disk, volumes }: { disk: Volume; volumes: Volume[] }) {
  const name = diskName(volumes)
  return (
    <li>
      <div className={classes.disk}>
        <span className="flex between baseline gap-12">
          <span className="truncate bold">{name}</span>
        </span>
        <Usage disk={disk} name={name} />
      </div>
      <ul className={classes.parts}>
        {volumes.map((volume) => (
          <VolumeCard key={volume.id} volume={volume} isPart />
        ))}
      </ul>
    </li>
  )
}

function Usage({ disk, name }: { disk: Volume; name: string }) {
  const share = usedShare(disk)
  if (share === undefined) return <span className="muted small nowrap">{noCapacityText(disk)}</span>
  return (
    <>
      <Meter share={share} label={`${name}: used`} />
      <span className="flex between baseline gap-12">
        <UsagePercent share={share} />
        <span className="muted small nowrap">
          <DiskSpace disk={disk} />
        </span>
      </span>
    </>
  )
}

const Files = ({ volume }: { volume: Volume }) => (
  <span className="flex between baseline gap-12">
    <span>
      <Size bytes={volume.sizeOfFiles} /> in <Count of={volume.numberOfFiles} one="file" />
    </span>
    <span className="muted small nowrap">{volume.indexingDate}</span>
  </span>
)
