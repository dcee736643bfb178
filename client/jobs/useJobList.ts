import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { jobs } from '#events/job-calls.ts'
import { jobTypes } from '#events/job-types.ts'
import { useTopic } from '../app/live/useTopic.ts'
import { useRemote } from '../app/remote.ts'
import { jobsState, foldJobs } from './jobs.state.ts'
import type { JobsAddress } from './jobsAddress.ts'
import { newestOf } from './newestRows.ts'
import { useShown } from './useShown.ts'
import { useThrottled } from './useThrottled.ts'

/** Fields by which a job never moves. */
const steady = ['id', 'type', 'serverId', 'createdAt']

/** The page of the jobs that the address asks for, as they are now, and how many new ones wait while it is `isHeld`. */
export function useJobList({ page, sort, types }: JobsAddress, size: number, isHeld: boolean) {
  useTopic('jobs', foldJobs)
  const { heard, changes, arrivals } = useSnapshot(jobsState) as typeof jobsState
  const query = { page, size, sort: sort.field, direction: sort.direction, types: asked(types) }
  const list = useRemote(jobs.list, { query }, 'jobs')
  useThrottled(steady.includes(sort.field) ? arrivals : changes, list.retry)

  const shown = useShown(list.data, JSON.stringify(query), isHeld)
  const rows = useMemo(() => shown.page?.elements.map((row) => newestOf(row, heard)) ?? [], [shown.page, heard])
  const total = shown.page?.total ?? 0
  const arrived = shown.isWaiting ? Math.max(0, (list.data?.total ?? 0) - total) : 0
  const refresh = () => {
    shown.release()
    list.retry()
  }
  const { isWaiting, release } = shown
  return { list, isKnown: shown.page !== undefined, rows, total, isWaiting, arrived, refresh, release }
}

/** No type at all asks for every type. */
const asked = (types: JobsAddress['types']) => (types.length === jobTypes.length ? [] : [...types])
