import type { LoggedEvent } from '#events/event-log/calls.ts'
import type { JobDetails } from '#events/jobs/calls.ts'
import { JobEvent, evolve } from '#events/jobs/events.ts'

/** A job as it is followed, and the events that came since; `gaps` counts how often some were missed. */
export type LiveJob = { job: JobDetails | undefined; events: readonly LoggedEvent[]; gaps: number }

/** The newer of two states of a job. */
export const newerOf = (a: JobDetails | undefined, b: JobDetails | undefined): JobDetails | undefined =>
  a && b ? (b.version > a.version ? b : a) : (a ?? b)

/** How many of the events that come are kept. */
const kept = 1_000

/** Folds events of a job's stream into it, with the function that the server folds with. */
export function foldEvents({ job, events, gaps }: LiveJob, news: readonly LoggedEvent[]): LiveJob {
  let followed = { job, gaps }
  for (const logged of news) followed = foldOne(followed, logged)
  return { ...followed, events: [...events, ...news].slice(-kept) }
}

function foldOne({ job, gaps }: Omit<LiveJob, 'events'>, logged: LoggedEvent): Omit<LiveJob, 'events'> {
  if (!job || logged.version <= job.version) return { job, gaps }
  const event = JobEvent.safeParse(logged.data)
  if (logged.version > job.version + 1 || !event.success) return { job, gaps: gaps + 1 }
  return { job: { ...job, ...evolve(job, event.data), version: logged.version }, gaps }
}

/** Events of the log and those that came since, the newest first, each once. */
export function withoutDoubles(events: readonly LoggedEvent[]): LoggedEvent[] {
  const byVersion = new Map(events.map((event) => [event.version, event]))
  return [...byVersion.values()].sort((a, b) => b.version - a.version)
}
