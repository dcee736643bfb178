import { type Schedule, type ScannerClass, scannerClassLabels } from '#events/schedules.ts'
import { counted } from '../ui/text/count.ts'
import { namedIds } from './scheduleFields.ts'
import classes from './Schedules.module.css'
import type { ScanTargets } from './useScanTargets.ts'

/** More names than these are counted. */
const named = 3

/** What a schedule starts, and on what. */
export function JobCell({ schedule, targets }: { schedule: Schedule; targets: ScanTargets }) {
  const on = whatOf(schedule, targets)
  return (
    <div className={classes.job}>
      <span>{scannerClassLabels[schedule.jobClass as ScannerClass]}</span>
      {on && <span className={classes.quiet}>{on}</span>}
    </div>
  )
}

function whatOf({ payload }: Schedule, { agents, volumes, storages }: ScanTargets): string {
  if ('serverId' in payload) return nameOf(agents, payload.serverId)
  const known = 'storageIdToPath' in payload ? storages : volumes
  const names = namedIds(payload).map((id) => nameOf(known, id))
  const more = names.length - named
  return [...names.slice(0, named), ...(more > 0 ? [counted(more, 'more', 'more')] : [])].join(', ')
}

/** What was deleted since is told apart by its number. */
function nameOf(known: { id: number; name: string }[] | undefined, id: number): string {
  if (!known) return ''
  return known.find((one) => one.id === id)?.name ?? `Invalid (${id})`
}
