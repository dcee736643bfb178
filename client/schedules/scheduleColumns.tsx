import { Switch } from '@mantine/core'
import { isOpen } from '#events/jobs/states.ts'
import { type Schedule, type ScannerClass, scannerClassLabels } from '#events/schedules/calls.ts'
import { CronCell } from '#client/parts/cron/CronCell.tsx'
import { CronWords } from '#client/parts/cron/CronWords.tsx'
import { LastRun } from '#client/parts/cron/LastRun.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { EditAction, RemoveAction, RowActions, RunAction } from '#client/ui/table/RowActions.tsx'
import { counted } from '#client/ui/text/count.ts'
import { useScanTargets } from './useScanTargets.ts'
import { namedIds } from './scheduleForm.ts'
import classes from './Schedules.module.css'

type Actions = Record<'edit' | 'remove' | 'run', (schedule: Schedule) => void> & {
  pause: (schedule: Schedule, paused: boolean) => void
  switching: boolean
}

export const scheduleColumns = (actions: Actions): Column<Schedule>[] => [
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
    cell: (schedule) => <JobCell schedule={schedule} />,
  },
  { key: 'lastRun', title: 'Last run', wideOnly: true, cell: ({ lastRun }) => <LastRun run={lastRun} /> },
  { key: 'active', title: 'Active', cell: (schedule) => <Active schedule={schedule} {...actions} /> },
  {
    key: 'action',
    title: 'Action',
    align: 'right',
    cell: (schedule) => <RowButtons schedule={schedule} {...actions} />,
  },
]

/** Small screens have no column for the expression, so its description is below the name. */
function Name({ schedule: { name, cron } }: { schedule: Schedule }) {
  return (
    <div className={classes.names}>
      <span className="strong break wrapping">{name}</span>
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

function RowButtons({ schedule, edit, remove, run, switching }: RowProps) {
  const { name, lastRun } = schedule
  const isRunning = lastRun?.jobStatus ? isOpen({ status: lastRun.jobStatus }) : false
  return (
    <RowActions>
      <RunAction
        label={`Run ${name} now`}
        whyNot={isRunning ? `Job ${lastRun?.jobId} is still running` : switching && 'Starting …'}
        onClick={() => run(schedule)}
      />
      <EditAction label={`Edit ${name}`} onClick={() => edit(schedule)} />
      <RemoveAction label={`Delete ${name}`} onClick={() => remove(schedule)} />
    </RowActions>
  )
}

/** Maximum number of names in a cell; further ones are only counted. */
const named = 3

/** The job that a schedule starts, and its targets. */
function JobCell({ schedule: { jobClass, payload } }: { schedule: Schedule }) {
  const scans = jobClass as ScannerClass
  const { data } = useScanTargets(scans)
  const names = namedIds(payload).map((id) => nameOf(data, id))
  const more = names.length - named
  const on = [...names.slice(0, named), ...(more > 0 ? [counted(more, 'more', 'more')] : [])].join(', ')
  return (
    <div className={classes.job}>
      <span>{scannerClassLabels[scans]}</span>
      {on && <span className="muted small wrapping">{on}</span>}
    </div>
  )
}

/** Name of a target; deleted ones are shown by their id. */
function nameOf(known: { id: number; name: string }[] | undefined, id: number): string {
  if (!known) return ''
  return known.find((one) => one.id === id)?.name ?? `Invalid (${id})`
}
