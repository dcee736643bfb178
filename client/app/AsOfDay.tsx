import { useActiveDate } from './activeDate.ts'

/** In Now, the day of figures that only scans make. Else nothing, since the header has the day of everything. */
export function AsOfDay() {
  const { isNow, active } = useActiveDate()
  return isNow && active ? <span className="muted small nowrap">As of {active.indexingDate}</span> : null
}
