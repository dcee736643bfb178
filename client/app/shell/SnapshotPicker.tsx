import { IconAlertTriangle, IconCalendar } from '@tabler/icons-react'
import { useActiveDate } from '../activeDate.ts'
import { OpensLater } from './OpensLater.tsx'
import classes from './SnapshotPicker.module.css'

const load = () => import('./SnapshotPickerOpened.tsx').then((m) => m.SnapshotPickerOpened)

/** The snapshot that is looked at; another day can be chosen, if it has one. */
export function SnapshotPicker() {
  const { dates, active, isNewest } = useActiveDate()
  if (!active || !dates.data) return null
  const Sign = isNewest && !active.isPartial ? IconCalendar : IconAlertTriangle
  return (
    <OpensLater load={load} opens="dialog">
      <button
        type="button"
        className={classes.picker}
        aria-label={`Snapshot ${active.indexingDate}${isNewest ? '' : ', read only'}${active.isPartial ? ' · partial' : ''}`}
        data-past={!isNewest}
        data-partial={active.isPartial}
      >
        <Sign size={16} stroke={1.5} aria-hidden />
        <span className={classes.label}>Snapshot </span>
        {active.indexingDate}
        {!isNewest && <span>, read only</span>}
        {active.isPartial && <span className={classes.label}> · partial</span>}
      </button>
    </OpensLater>
  )
}
