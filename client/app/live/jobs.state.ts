import { proxy, ref } from 'valtio'
import type { JobRow } from '#events/jobs/calls.ts'
import type { TopicHandler } from './subscribers.ts'
import { type JobRows, foldRows } from './jobRows.ts'
import { sharedTopic } from './live.state.ts'

type LiveJobs = {
  /** Jobs that the server pushed or returned after a change. */
  rows: JobRows
  /** Number of updates, and number of new jobs. */
  changes: number
  arrivals: number
  newestId: number
  /** Time of the last push, in milliseconds. */
  updatedAt: number | undefined
}

/** Known jobs, shared by all components. */
export const liveJobs = proxy<LiveJobs>({
  rows: ref<JobRows>(new Map()),
  changes: 0,
  arrivals: 0,
  newestId: 0,
  updatedAt: undefined,
})

/** Merges jobs from API responses. */
export function noteJobs(jobs: readonly JobRow[]): void {
  const rows = foldRows(liveJobs.rows, jobs)
  if (rows === liveJobs.rows) return
  liveJobs.rows = ref(rows)
  liveJobs.changes += 1
  const newest = Math.max(...jobs.map(({ id }) => id))
  if (newest > liveJobs.newestId) {
    liveJobs.newestId = newest
    liveJobs.arrivals += 1
  }
}

/** Applies pushed jobs. A new `state` means that changes may have been missed. */
const fold: TopicHandler = (message) => {
  if (message.type === 'state') {
    liveJobs.changes += 1
    liveJobs.arrivals += 1
    return
  }
  const jobs = message.events.flatMap((event) => (event.type === 'jobs' ? event.jobs : []))
  if (jobs.length === 0) return
  liveJobs.updatedAt = Date.now()
  noteJobs(jobs)
}

/** Subscribes to jobs. Returns a function that unsubscribes. */
export const subscribeToJobs = sharedTopic('jobs', fold)
