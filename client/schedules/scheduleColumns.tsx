import { Switch } from '@mantine/core'
import type { Schedule } from '#events/schedules.ts'
import { CronCell } from '../parts/cron/CronCell.tsx'
import { CronWords } from '../parts/cron/CronWords.tsx'
import { LastRun } from '../parts/cron/LastRun.tsx'
import type { Column } from '../ui/column.ts'
import { EditAction, RemoveAction, RowActions } from '../ui/RowActions.tsx'
import { JobCell } from './JobCell.tsx'
import classes from './Schedules.module.css'
import type { ScanTargets } from './useScanTargets.ts'

type Actions = Record<'edit' | 'remove', (schedule: Schedule) => void> & {
  pause: (schedule: Schedule, paused: boolean) => void
  switching: boolean
}

export const scheduleColumns = ({ targets, ...actions }: Actions & { targets: ScanTargets }): Column<Schedule>[] => [
  { key: 'id', title: 'Id', wideOnly: true, cell: ({ id }) => id },
  { key: 'name', title: 'Name', cell: (schedule) => <Name schedule={schedule} /> },
  {
    key: 'cron',
    title: 'Cron',
    wideOnly: true,
    cell: ({ cron, nextRuns, paused }) => <CronCell cron={cron} nextRuns={nextRuns} isPaused={paused} />,
  },
  {
    key: 'job',
    title: 'Job',
    wideOnly: true,
    cell: (schedule) => (
      <>
        <JobCell schedule={schedule} targets={targets} />
        <LastRun run={schedule.lastRun} />
      </>
    ),
  },
  { key: 'active', title: 'Active', cell: (schedule) => <Active schedule={schedule} {...actions} /> },
  {
    key: 'action',
    title: 'Action',
    align: 'right',
    cell: (schedule) => <Deeds schedule={schedule} {...actions} />,
  },
]

/** Small screens have no column for the expression: its words stand under the name. */
function Name({ schedule: { name, cron } }: { schedule: Schedule }) {
  return (
    <div className={classes.names}>
      <span className={classes.name}>{name}</span>
      <span className={classes.narrow}>
        <CronWords cron={cron} />
      </span>
    </div>
  )
}

type RowProps = Actions & { schedule: Schedule }

function Active({ schedule, pause, switching }: RowProps) {
  return (
    <Switch
      aria-label={`${schedule.name} is active`}
      checked={!schedule.paused}
      disabled={switching}
      onChange={({ currentTarget }) => pause(schedule, !currentTarget.checked)}
    />
  )
}

function Deeds({ schedule, edit, remove }: RowProps) {
  const { name } = schedule
  return (
    <RowActions>
      <EditAction label={`Edit ${name}`} onClick={() => edit(schedule)} />
      <RemoveAction label={`Delete ${name}`} onClick={() => remove(schedule)} />
    </RowActions>
  )
}
