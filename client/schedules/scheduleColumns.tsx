import { type Schedule, type ScannerClass, scannerClassLabels } from '#events/schedules/calls.ts'
import { CronCell } from '#client/parts/cron/CronCell.tsx'
import { CronWords } from '#client/parts/cron/CronWords.tsx'
import { LastRun } from '#client/parts/cron/LastRun.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { counted } from '#client/ui/text/count.ts'
import { useScanTargets } from './useScanTargets.ts'
import { namedIds } from './scheduleForm.tsx'
import classes from './Schedules.module.css'

export const scheduleColumns = (active: Column<Schedule>): Column<Schedule>[] => [
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
  active,
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
