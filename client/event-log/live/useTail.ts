import { useState } from 'react'
import { type LoggedEvent, eventLog } from '#events/event-log/calls.ts'
import type { LiveEvent } from '#events/live.ts'
import { call } from '#client/app/call.ts'
import { useTopic } from '#client/app/live/useTopic.ts'

/** Maximum number of events; older ones are in Browse mode. */
const maxEvents = 2_000
const initialCount = 200

type Tail = { events: readonly LoggedEvent[]; error: Error | undefined; isRead: boolean }

/** Newest events, newest first, updated live while mounted. */
export function useTail(): Tail & { retry: () => void } {
  const [tail, setTail] = useState<Tail>(unread)
  const add = (more: readonly LoggedEvent[]) =>
    setTail(({ events }) => ({ events: withMore(events, more), error: undefined, isRead: true }))
  // Loads history, then appends live events. Deduplicates by position.
  const read = () =>
    call(eventLog.list, { query: { type: [], size: initialCount } }).then(
      ({ elements }) => add(elements),
      (error: Error) => setTail((tail) => ({ ...tail, error, isRead: true })),
    )
  useTopic('log', (message) => {
    if (message.type === 'state') void read()
    else add(message.events.flatMap(loggedOf))
  })
  const retry = () => {
    setTail(({ events }) => ({ ...unread, events }))
    void read()
  }
  return { ...tail, retry }
}

const unread: Tail = { events: [], error: undefined, isRead: false }

const loggedOf = (event: LiveEvent): LoggedEvent[] => (event.type === 'logged' ? event.events : [])

/** Merges both lists, newest first, without duplicates. */
function withMore(events: readonly LoggedEvent[], more: readonly LoggedEvent[]): readonly LoggedEvent[] {
  if (more.length === 0) return events
  const byPosition = new Map([...events, ...more].map((event) => [event.position, event]))
  return [...byPosition.values()].sort((a, b) => b.position - a.position).slice(0, maxEvents)
}
