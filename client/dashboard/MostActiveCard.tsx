import { Button, NativeSelect } from '@mantine/core'
import { IconActivity } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { type ActiveVolume, activityDurations, mostActiveVolumes } from '#events/storages.ts'
import { useActiveDate } from '../app/activeDate.ts'
import { useLinks } from '../app/links.ts'
import { useRemote } from '../app/remote.ts'
import { Card } from '../ui/Card.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { counted } from '../ui/text/count.ts'
import { activity, compareOver } from './activityDuration.state.ts'
import { ActiveRow } from './ActiveRow.tsx'
import { useFailureToast } from './useFailureToast.ts'
import classes from './MostActiveCard.module.css'

const shownAtMost = 10

/** The storages whose size changed most over the chosen days. */
export function MostActiveCard() {
  const { indexingDate } = useActiveDate()
  const { days } = useSnapshot(activity)
  const query = { duration: days, size: shownAtMost, ...(indexingDate !== undefined && { indexingDate }) }
  const storages = useRemote(mostActiveVolumes, { query }, 'snapshots', 'dashboard')
  useFailureToast(storages)
  return (
    <Card
      title="Most Active Storage"
      remote={storages}
      skeleton={<Skeleton rows={5} height={36} />}
      actions={
        <NativeSelect
          aria-label="Most active storage over"
          data={activityDurations.map((days) => ({ value: String(days), label: counted(days, 'day') }))}
          value={String(days)}
          onChange={({ currentTarget }) => compareOver(Number(currentTarget.value))}
        />
      }
    >
      {(storages) => (storages.length === 0 ? <NothingChanged /> : <Rows storages={storages} />)}
    </Card>
  )
}

function Rows({ storages }: { storages: ActiveVolume[] }) {
  const most = Math.max(...storages.map(({ variation }) => Math.abs(variation)))
  return (
    <ul className={classes.rows}>
      {storages.map((storage) => (
        <ActiveRow key={storage.id} storage={storage} most={most} />
      ))}
    </ul>
  )
}

function NothingChanged() {
  const links = useLinks()
  return (
    <Notice
      icon={IconActivity}
      step={
        <Button component={Link} href={links.settingsData()} variant="default">
          See what is scanned
        </Button>
      }
    >
      There is no data for the selected time frame; make sure that the scan is properly configured or try another time
      frame.
    </Notice>
  )
}
