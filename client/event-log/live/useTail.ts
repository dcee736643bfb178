import { useState } from 'react'
import { type LoggedEvent, eventLog } from '#events/event-log/calls.ts'
import type { LiveEvent } from '#events/live.ts'
import { call } from '#client/app/call.ts'
import { useTopic } from '#client/app/live/useTopic.ts'

/** So many are kept; older ones are browsed. */
const kept = 2_000
const beginsWith = 200

type Tail = { events: readonly LoggedEvent[]; error: Error | undefined; isRead: boolean }

/** The newest events, newest first, and each that is appended while one looks on. */
export function useTail(): Tail & { retry: () => void } {
  const [tail, setTail] = useState<Tail>(unread)
  const add = (more: readonly LoggedEvent[]) =>
    setTail(({ events }) => ({ events: withMore(events, more), error: undefined, isRead: true }))
  // What was before is read; what comes meanwhile is heard, and what comes twice is known by its position.
  const read = () =>
    call(eventLog.list, { query: { type: [], size: beginsWith } }).then(
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

/** Both together, newest first, each once. */
function withMore(events: readonly LoggedEvent[], more: readonly LoggedEvent[]): readonly LoggedEvent[] {
  if (more.length === 0) return events
  const byPosition = new Map([...events, ...more].map((event) => [event.position, event]))
  return [...byPosition.values()].sort((a, b) => b.position - a.position).slice(0, kept)
}
