import { createContext, use } from 'react'
import type { Answer, Input } from '#events/contract/endpoint.ts'
import { type EventFilters, type LoggedEvent, eventLog } from '#events/event-log/calls.ts'
import { call } from '#client/app/call.ts'
import { type Density, densityOf, facetsOf, filterEvents } from './sandbox/sandboxEvents.ts'

type ListQuery = Input<typeof eventLog.list>['query']
type Facets = Answer<typeof eventLog.facets>

/** Source of events: the server's log, or a file opened in the browser. */
export type Source = {
  /** Prefix of cache keys. */
  name: string
  list(query: ListQuery, signal: AbortSignal): Promise<{ elements: LoggedEvent[]; next: number | null }>
  one(position: number, signal: AbortSignal): Promise<LoggedEvent>
  density(filters: EventFilters, signal: AbortSignal): Promise<Density>
  facets(signal: AbortSignal): Promise<Facets>
}

export const server: Source = {
  name: 'server',
  list: (query, signal) => call(eventLog.list, { query }, signal),
  one: (position, signal) => call(eventLog.one, { params: { position } }, signal),
  density: (query, signal) => call(eventLog.density, { query }, signal),
  facets: (signal) => call(eventLog.facets, {}, signal),
}

/** Events of a file, which are not uploaded. */
export const sandboxOf = (name: string, events: readonly LoggedEvent[]): Source => ({
  name: `file ${name}`,
  async list({ after = 0, before = Number.MAX_SAFE_INTEGER, direction, size, ...filters }) {
    const matching = filterEvents(events, filters).filter(({ position }) => position > after && position < before)
    const elements = (direction === 'asc' ? matching : matching.toReversed()).slice(0, size)
    const last = elements.length === size ? elements.at(-1) : undefined
    return { elements, next: last?.position ?? null }
  },
  async one(position) {
    const event = events.find((event) => event.position === position)
    if (!event) throw new Error(`The file has no event ${position}`)
    return event
  },
  density: async (filters) => densityOf(filterEvents(events, filters)),
  facets: async () => facetsOf(events),
})

/** Source of the screen's events. */
export const SourceContext = createContext<Source>(server)
export const useSource = (): Source => use(SourceContext)
