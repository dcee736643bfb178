import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import { type Dashboard, dashboard } from '#events/dashboard.ts'
import { useActiveDate } from '../app/activeDate.ts'
import { live } from '../app/live/live.state.ts'
import { useRemote } from '../app/remote.ts'
import type { Loadable } from '../ui/loadable.ts'
import { dashboardState, followDashboard, noteDashboard } from './dashboard.state.ts'

/** The dashboard of the chosen snapshot: pushed for the newest, read for a past one and while the push is down. */
export function useDashboard(): Loadable<Dashboard> {
  const { indexingDate } = useActiveDate()
  const topics = indexingDate ? ['dashboard'] : []
  const read = useRemote(dashboard, { query: indexingDate ? { indexingDate } : {} }, ...topics)
  const { newest } = useSnapshot(dashboardState)
  useEffect(followDashboard, [])
  useEffect(() => {
    if (read.data && !indexingDate && !live.isOpen) noteDashboard(read.data)
  }, [read.data, indexingDate])
  if (indexingDate || !newest) return read
  return { ...read, data: newest as Dashboard, error: undefined, loading: false }
}
