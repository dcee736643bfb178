import { useEffect } from 'react'
import { proxy, ref, useSnapshot } from 'valtio'
import type { ChangeTopic } from '#events/changes.ts'
import { type Dashboard, dashboard, evolveDashboard, isDashboardEvent } from '#events/dashboard.ts'
import { useRemote } from '#client/app/remote.ts'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import type { TopicHandler } from './subscribers.ts'
import { live, sharedTopic } from './live.state.ts'

/** The newest dashboard, folded once for all that show something of it, and when the server last told of it, in milliseconds. */
export const liveDashboard = proxy<{ newest: Dashboard | undefined; toldAt: number | undefined }>({
  newest: undefined,
  toldAt: undefined,
})

/** Folds what happens into the dashboard, with the function that the server folds with. */
const fold: TopicHandler = (message) => {
  liveDashboard.toldAt = Date.now()
  if (message.type === 'state') {
    if (message.state && 'storages' in message.state) setNewest(message.state)
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

/** The newest dashboard as it is pushed, for as long as the component is shown; nothing until the first push. */
export function usePushedDashboard(): Dashboard | undefined {
  useEffect(subscribe, [])
  return useSnapshot(liveDashboard).newest as Dashboard | undefined
}

/** The dashboard of a snapshot: pushed for the newest, read for a past one and while the push is down. */
export function useLiveDashboard(indexingDate?: string): Loadable<Dashboard> {
  const topics: ChangeTopic[] = indexingDate ? ['dashboard'] : []
  const read = useRemote(dashboard, { query: indexingDate ? { indexingDate } : {} }, ...topics)
  const newest = usePushedDashboard()
  useEffect(() => {
    if (read.data && !indexingDate && (!live.isOpen || !liveDashboard.newest)) setNewest(read.data)
  }, [read.data, indexingDate])
  if (indexingDate || !newest) return read
  return { ...read, data: newest, error: undefined, loading: false }
}
