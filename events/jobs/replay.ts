import { jobOfStream } from '#events/streams.ts'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import { type Job, JobEvent, evolve } from './events.ts'

/** What a stream is before its first event, and what a thing that was removed is again. */
export const nothing = null

/**
 * What an event makes of the state of its stream: of a job what `evolve` says, of everything else what it says to be
 * `after` it. An event that changes nothing leaves the state as it is; a job whose beginning is missing is nothing.
 */
export function evolveStream(state: unknown, event: LoggedEvent): unknown {
  if (jobOfStream(event.stream) !== undefined) return evolveJob(state, event)
  if (event.type === 'Removed') return nothing
  return 'after' in event.data ? event.data['after'] : state
}

/** An event that this version does not know leaves a job as it is. */
function evolveJob(state: unknown, { data }: LoggedEvent): unknown {
  const event = JobEvent.safeParse(data)
  if (!event.success || (state === nothing && event.data.type !== 'JobQueued')) return state
  return evolve((state ?? undefined) as Job | undefined, event.data)
}

/** The state of one stream after its events, which are ascending. */
export const foldStream = (events: readonly LoggedEvent[]): unknown => events.reduce<unknown>(evolveStream, nothing)
