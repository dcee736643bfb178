import { useEffect } from 'react'
import { proxy, ref, useSnapshot } from 'valtio'
import type { ChangeTopic } from '#events/changes.ts'
import { type Dashboard, dashboard, evolveDashboard, isDashboardEvent } from '#events/dashboard.ts'
import type { TimeQuery } from '#client/app/activeDate.ts'
import { useRemote } from '#client/app/remote.ts'
import { session } from '#client/app/session.state.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import type { TopicHandler } from './subscribers.ts'
import { live, sharedTopic } from './live.state.ts'

/** Newest dashboard, shared by all components, and the time of its last update in milliseconds. */
export const liveDashboard = proxy<{ newest: Dashboard | undefined; updatedAt: number | undefined }>({
  newest: undefined,
  updatedAt: undefined,
})

/** Applies events with the same reducer as the server. */
const fold: TopicHandler = (message) => {
  liveDashboard.updatedAt = Date.now()
  if (message.type === 'state') {
    if (message.state && 'scans' in message.state) setNewest(message.state)
    return
  }
  let { newest } = liveDashboard as { newest: Dashboard | undefined }
  for (const event of message.events) {
    if (newest && isDashboardEvent(event)) newest = evolveDashboard(newest, event)
  }
  if (newest) setNewest(newest)
}

const setNewest = (newest: Dashboard): void => {
  liveDashboard.newest = ref(newest)
}

const subscribe = sharedTopic('dashboard', fold)

/**
 * Newest pushed dashboard; undefined until the first push. Subscribes while the component is mounted. Users with limits get none: it has
 * all storages.
 */
export function usePushedDashboard(): Dashboard | undefined {
  const isLimited = useIsLimited()
  useEffect(() => (isLimited ? undefined : subscribe()), [isLimited])
  const { newest } = useSnapshot(liveDashboard)
  return isLimited ? undefined : (newest as Dashboard | undefined)
}

const useIsLimited = (): boolean => {
  const { user, wall } = useSnapshot(session)
  return user?.limits !== undefined || wall !== undefined
}

/** Dashboard of a snapshot: pushed for the newest, fetched for older ones, for Now and while the live connection is down. */
export function useLiveDashboard(at: TimeQuery = {}): Loadable<Dashboard> {
  const isLimited = useIsLimited()
  const isOther = at.live !== undefined || at.indexingDate !== undefined
  const topics: ChangeTopic[] = isOther || isLimited ? ['dashboard'] : []
  const read = useRemote(dashboard, { query: at }, ...topics)
  const newest = usePushedDashboard()
  useEffect(() => {
    if (read.data && !isOther && !isLimited && (!live.isOpen || !liveDashboard.newest)) setNewest(read.data)
  }, [read.data, isOther, isLimited])
  if (isOther || !newest) return read
  return { ...read, data: newest, error: undefined, loading: false }
}
