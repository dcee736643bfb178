import { useMemo, useState, useEffect, useEffectEvent, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { daysBefore } from '#events/contract/days.ts'
import { jobs } from '#events/jobs/calls.ts'
import { jobStatuses } from '#events/jobs/events.ts'
import { jobTypes } from '#events/jobs/types.ts'
import { newestOf } from '#client/app/live/jobRows.ts'
import { liveJobs, subscribeToJobs } from '#client/app/live/jobs.state.ts'
import { useRemote } from '#client/app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { readMomentIn, timeZone } from '#client/ui/text/timeZone.ts'
import { type JobsAddress, type JobsFilter, periods } from './jobsAddress.ts'

/** Sort fields that never change for a job. */
const fixedFields = ['id', 'type', 'serverId', 'createdAt']

/** Requested page of jobs, updated live, and the number of new jobs held back while `isHeld`. */
export function useJobList({ page, sort, ...filter }: JobsAddress, size: number, isHeld: boolean) {
  useEffect(subscribeToJobs, [])
  const { rows: pushed, changes, arrivals } = useSnapshot(liveJobs) as typeof liveJobs
  const query = { page, size, sort: sort.field, direction: sort.direction, ...filterParams(filter) }
  const list = useRemote(jobs.list, { query }, 'jobs')
  useFailureToast(list.error)
  useThrottled(fixedFields.includes(sort.field) ? arrivals : changes, list.retry)

  const shown = useHeldPage(list.data, JSON.stringify(query), isHeld)
  const rows = useMemo(() => shown.page?.elements.map((row) => newestOf(row, pushed)) ?? [], [shown.page, pushed])
  const total = shown.page?.total ?? 0
  const arrived = shown.isWaiting ? Math.max(0, (list.data?.total ?? 0) - total) : 0
  const refresh = () => {
    shown.release()
    list.retry()
  }
  const { isWaiting, release } = shown
  return { list, isKnown: shown.page !== undefined, rows, total, isWaiting, arrived, refresh, release }
}

/** Filters for the call; no words mean all. Days begin at midnight of the server, `to` includes its day. */
function filterParams({ types, statuses, agents, period, from, to }: JobsFilter) {
  const midnight = (day: string) => new Date(readMomentIn(timeZone, `${day}T00:00:00`)).toISOString()
  return {
    types: types.length === jobTypes.length ? [] : [...types],
    statuses: statuses.length === jobStatuses.length ? [] : [...statuses],
    agents: [...(agents ?? [])],
    ...(period && { lastHours: periods[period] }),
    ...(from && { createdFrom: midnight(from) }),
    ...(to && { createdTo: midnight(daysBefore(to, -1)) }),
  }
}

type HeldPage<P> = { page: P | undefined; query: string; isReleased: boolean }

/**
 * Page shown. While `isHeld`, a newer page is held back so that no row moves under the pointer, unless the query
 * changed, `release` was called, or it has the same rows.
 */
function useHeldPage<P extends { elements: { id: number }[] }>(newest: P | undefined, query: string, isHeld: boolean) {
  const [shown, show] = useState<HeldPage<P>>({ page: newest, query, isReleased: newest === undefined })
  const isNewer = newest !== undefined && newest !== shown.page
  const mayShow = shown.isReleased || !isHeld || idsOf(newest) === idsOf(shown.page)
  if (query !== shown.query) show({ ...shown, query, isReleased: true })
  else if (isNewer && mayShow) show({ page: newest, query, isReleased: false })
  return {
    page: shown.page,
    isWaiting: isNewer && !mayShow,
    release: () => show({ ...shown, isReleased: true }),
  }
}

const idsOf = (page: { elements: { id: number }[] } | undefined) => page?.elements.map(({ id }) => id).join()

const minIntervalMs = 1_000
/** Changes within this time count as one. Milliseconds. */
const burstMs = 150

/** Calls `act` after `count` has increased, at most once per second. */
function useThrottled(count: number, act: () => void): void {
  const done = useRef({ count, at: 0 })
  const actNow = useEffectEvent(act)
  useEffect(() => {
    if (count === done.current.count) return
    const wait = Math.max(burstMs, done.current.at + minIntervalMs - Date.now())
    const timer = setTimeout(() => {
      done.current = { count, at: Date.now() }
      actNow()
    }, wait)
    return () => clearTimeout(timer)
  }, [count])
}
