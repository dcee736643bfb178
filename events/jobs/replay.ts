import { jobIdOfStream } from '#events/streams.ts'
import type { LoggedEvent } from '#events/event-log/calls.ts'
import { type Job, JobEvent, evolve } from './events.ts'

/** State of a stream before its first event and after a removal. */
export const emptyState = null

/**
 * Folds an event of the log into the state of its stream: a job by `evolve`, everything else to its `after`. Events
 * without a change keep the state. A job whose first event is missing stays null.
 */
export function evolveStream(state: unknown, event: LoggedEvent): unknown {
  if (jobIdOfStream(event.stream) !== undefined) return evolveJob(state, event)
  if (event.type === 'Removed') return emptyState
  return 'after' in event.data ? event.data['after'] : state
}

/** Events unknown to this version leave a job unchanged. */
function evolveJob(state: unknown, { data }: LoggedEvent): unknown {
  const event = JobEvent.safeParse(data)
  if (!event.success || (state === emptyState && event.data.type !== 'JobQueued')) return state
  return evolve((state ?? undefined) as Job | undefined, event.data)
}

/** Folds the events of one stream, given in ascending order. */
export const foldStream = (events: readonly LoggedEvent[]): unknown => events.reduce<unknown>(evolveStream, emptyState)
