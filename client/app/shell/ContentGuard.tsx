import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Failure } from '../../ui/Failure.tsx'
import { useActiveDate } from '../activeDate.ts'

/** These need no snapshot; the dashboard shows the first scan while it runs. */
const withoutSnapshot = [/^\/$/, /^\/settings(\/|$)/, /^\/profile$/, /^\/event-log$/]

/** Screens that read a snapshot wait until there is one. */
export function ContentGuard({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const { dates, active } = useActiveDate()
  if (active || withoutSnapshot.some((pattern) => pattern.test(path))) return children
  return dates.error && !dates.loading ? <Failure error={dates.error} retry={dates.retry} /> : null
}
