import { useEffect, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { type JobRow, jobs } from '#events/jobs/calls.ts'
import { useLiveDashboard } from '#client/app/live/dashboard.state.ts'
import { foldRows, runningOf } from '#client/app/live/jobRows.ts'
import { liveJobs, subscribeToJobs } from '#client/app/live/jobs.state.ts'
import { useRemote } from '#client/app/remote.ts'

/** Running jobs have usually changed recently. Long scans are on the dashboard. */
const lately = { page: 1, size: 100, sort: 'updatedAt', direction: 'desc' } as const

/** Running jobs, and the dashboard with their scans' progress. The list is frozen while `isHeld`. */
export function useRunningJobs(page: JobRow[], isHeld: boolean) {
  useEffect(subscribeToJobs, [])
  const { rows } = useSnapshot(liveJobs) as typeof liveJobs
  const recent = useRemote(jobs.list, { query: lately }, 'jobs')
  const dashboard = useLiveDashboard()

  const known = useMemo(() => foldRows(foldRows(rows, recent.data?.elements ?? []), page), [rows, recent.data, page])
  const ids = useMemo(() => runningOf(known.values()).map(({ id }) => id), [known])
  const [shown, show] = useState(ids)
  if (!isHeld && shown.join() !== ids.join()) show(ids)
  const running = shown.flatMap((id) => known.get(id) ?? [])
  const refresh = () => {
    recent.retry()
    dashboard.retry()
  }
  return { running, dashboard: dashboard.data, refresh }
}
