import { useEffect, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { type Dashboard, dashboard } from '#events/dashboard.ts'
import { type JobRow, jobs } from '#events/job-calls.ts'
import { useTopic } from '../app/live/useTopic.ts'
import { live } from '../app/live/live.state.ts'
import { useRemote } from '../app/remote.ts'
import { foldScans, jobsState, noteDashboard } from './jobs.state.ts'
import { runningOf, withRows } from './newestRows.ts'

/** What runs changed lately, but for long scans, which the dashboard names. */
const lately = { page: 1, size: 100, sort: 'updatedAt', direction: 'desc' } as const

/** The jobs that run, and the dashboard that tells how far their scans are. None comes or goes while it is `isHeld`. */
export function useRunningJobs(page: JobRow[], isHeld: boolean) {
  useTopic('dashboard', foldScans)
  const { heard, dashboard: newest } = useSnapshot(jobsState) as typeof jobsState
  const recent = useRemote(jobs.list, { query: lately }, 'jobs')
  const read = useRemote(dashboard, {})
  useEffect(() => {
    if (read.data && !live.isOpen) noteDashboard(read.data)
  }, [read.data])

  const known = useMemo(() => withRows(withRows(heard, recent.data?.elements ?? []), page), [heard, recent.data, page])
  const ids = useMemo(() => runningOf(known.values()).map(({ id }) => id), [known])
  const [shown, show] = useState(ids)
  if (!isHeld && shown.join() !== ids.join()) show(ids)
  const running = shown.flatMap((id) => known.get(id) ?? [])
  const refresh = () => {
    recent.retry()
    read.retry()
  }
  return { running, dashboard: (newest ?? read.data) as Dashboard | undefined, refresh }
}
