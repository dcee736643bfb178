import { proxy, ref } from 'valtio'
import type { JobRow } from '#events/jobs/calls.ts'
import type { TopicHandler } from './subscribers.ts'
import { type JobRows, foldRows } from './jobRows.ts'
import { sharedTopic } from './live.state.ts'

type LiveJobs = {
  /** Jobs as the server pushed them, or answered a change of them. */
  rows: JobRows
  /** How often a row changed, and how often one came that is newer than all before. */
  changes: number
  arrivals: number
  newestId: number
  /** When the server last told of a job, in milliseconds. */
  toldAt: number | undefined
}

/** What is known of jobs, folded once for all that show them. */
export const liveJobs = proxy<LiveJobs>({
  rows: ref<JobRows>(new Map()),
  changes: 0,
  arrivals: 0,
  newestId: 0,
  toldAt: undefined,
})

/** Folds in jobs that were read or answered. */
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

/** Folds what the server says of jobs; a new beginning means that changes may have been missed. */
const fold: TopicHandler = (message) => {
  if (message.type === 'state') {
    liveJobs.changes += 1
    liveJobs.arrivals += 1
    return
  }
  const jobs = message.events.flatMap((event) => (event.type === 'jobs' ? event.jobs : []))
  if (jobs.length === 0) return
  liveJobs.toldAt = Date.now()
  noteJobs(jobs)
}

/** Follows the jobs until what it gives back is called. */
export const subscribeToJobs = sharedTopic('jobs', fold)
