import { proxy, ref } from 'valtio'
import { type Dashboard, evolveDashboard } from '#events/dashboard.ts'
import type { JobRow } from '#events/job-calls.ts'
import type { Fold } from '../app/live/followers.ts'
import { type NewestRows, withRows } from './newestRows.ts'

type JobsState = {
  /** Jobs as the server pushed them, or answered a change of them. */
  heard: NewestRows
  /** How often something was heard, and how often of a job that is newer than all before. */
  changes: number
  arrivals: number
  newestId: number
  /** The newest dashboard: its scans tell how far running jobs are. */
  dashboard: Dashboard | undefined
}

export const jobsState = proxy<JobsState>({
  heard: ref<NewestRows>(new Map()),
  changes: 0,
  arrivals: 0,
  newestId: 0,
  dashboard: undefined,
})

/** How many jobs are kept of what was heard; what fell out is read again when it is shown. */
const kept = 5_000

export function noteRows(rows: readonly JobRow[]): void {
  const heard = withRows(jobsState.heard, rows)
  if (heard === jobsState.heard) return
  const newest = Math.max(...rows.map(({ id }) => id))
  jobsState.heard = ref(heard.size > kept ? new Map([...heard].slice(-kept / 2)) : heard)
  jobsState.changes += 1
  if (newest > jobsState.newestId) {
    jobsState.newestId = newest
    jobsState.arrivals += 1
  }
}

/** Folds what the server says of jobs; a new beginning means that changes may have been missed. */
export const foldJobs: Fold = (message) => {
  if (message.type === 'state') {
    jobsState.changes += 1
    jobsState.arrivals += 1
    return
  }
  noteRows(message.events.flatMap((event) => (event.type === 'jobs' ? event.jobs : [])))
}

/** Folds what the server says of scans, with the function that the server folds with. */
export const foldScans: Fold = (message) => {
  if (message.type === 'state') {
    if (message.state && 'scans' in message.state) jobsState.dashboard = ref(message.state)
    return
  }
  let dashboard = jobsState.dashboard
  for (const event of message.events) {
    const isOfScans = event.type === 'scanProgressed' || event.type === 'scanChanged' || event.type === 'dashboard'
    if (dashboard && isOfScans) dashboard = evolveDashboard(dashboard, event)
  }
  if (dashboard) jobsState.dashboard = ref(dashboard)
}

export const noteDashboard = (dashboard: Dashboard): void => {
  jobsState.dashboard = ref(dashboard)
}
