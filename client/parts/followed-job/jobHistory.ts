import type { LoggedEvent } from '#events/event-log/calls.ts'
import type { JobDetails } from '#events/jobs/calls.ts'
import { JobEvent, evolve } from '#events/jobs/events.ts'

/** A job and its events since it was opened; `gaps` counts interruptions with missed events. */
export type LiveJob = { job: JobDetails | undefined; events: readonly LoggedEvent[]; gaps: number }

export const newerOf = (a: JobDetails | undefined, b: JobDetails | undefined): JobDetails | undefined =>
  a && b ? (b.version > a.version ? b : a) : (a ?? b)

/** Maximum number of events kept. */
const maxEvents = 1_000

/** Applies events with the same reducer as the server. */
export function foldEvents({ job, events, gaps }: LiveJob, news: readonly LoggedEvent[]): LiveJob {
  let followed = { job, gaps }
  for (const logged of news) followed = foldOne(followed, logged)
  return { ...followed, events: [...events, ...news].slice(-maxEvents) }
}

function foldOne({ job, gaps }: Omit<LiveJob, 'events'>, logged: LoggedEvent): Omit<LiveJob, 'events'> {
  if (!job || logged.version <= job.version) return { job, gaps }
  const event = JobEvent.safeParse(logged.data)
  if (logged.version > job.version + 1 || !event.success) return { job, gaps: gaps + 1 }
  return { job: { ...job, ...evolve(job, event.data), version: logged.version }, gaps }
}

/** Merges logged and live events, newest first, without duplicates. */
export function withoutDoubles(events: readonly LoggedEvent[]): LoggedEvent[] {
  const byVersion = new Map(events.map((event) => [event.version, event]))
  return [...byVersion.values()].sort((a, b) => b.version - a.version)
}
