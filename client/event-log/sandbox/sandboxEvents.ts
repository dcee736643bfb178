import { streamNames } from '#events/streams.ts'
import { type EventFilters, type LoggedEvent, failureTypes } from '#events/event-log/calls.ts'

/** Filters events in the browser in the same way as the server. */
export function filterEvents(events: readonly LoggedEvent[], filters: EventFilters): LoggedEvent[] {
  const { stream = '*', type, actor, agent, text, from = '', to } = filters
  const begin = stream.endsWith('*') ? stream.slice(0, -1) : undefined
  const ofAgent = agent === undefined ? undefined : streamsOf(events, agent)
  const needle = text?.toLowerCase()
  return events.filter(
    (event) =>
      (begin === undefined ? event.stream === stream : event.stream.startsWith(begin)) &&
      (type.length === 0 || type.includes(event.type)) &&
      (actor === undefined || event.actor === actor) &&
      (ofAgent === undefined || ofAgent.has(event.stream)) &&
      (needle === undefined || JSON.stringify(event).toLowerCase().includes(needle)) &&
      event.at >= from &&
      (to === undefined || event.at < to),
  )
}

function streamsOf(events: readonly LoggedEvent[], agent: number): Set<string> {
  const streams = new Set<string>([streamNames.agent(agent)])
  for (const { stream, data } of events) if (data['serverId'] === agent) streams.add(stream)
  return streams
}

/** Number of events and failures in each interval of a range. */
export type Density = {
  from: string | null
  to: string | null
  pieces: { at: string; events: number; failures: number }[]
}

export const noDensity: Density = { from: null, to: null, pieces: [] }

/** Density of events, over the range from the first to the last. */
export function densityOf(events: readonly LoggedEvent[], maxPieces = 120): Density {
  if (events.length === 0) return noDensity
  const moments = events.map(({ at }) => Date.parse(at))
  const from = moments.reduce((a, b) => Math.min(a, b))
  const to = moments.reduce((a, b) => Math.max(a, b)) + 1
  const length = Math.ceil((to - from) / maxPieces)
  const pieces = Array.from({ length: Math.ceil((to - from) / length) }, (_, index) => ({
    at: new Date(from + index * length).toISOString(),
    events: 0,
    failures: 0,
  }))
  for (const [index, { type }] of events.entries()) {
    const piece = pieces[Math.floor(((moments[index] ?? from) - from) / length)]
    if (!piece) continue
    piece.events += 1
    if (failureTypes.includes(type)) piece.failures += 1
  }
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), pieces }
}

/** Types and actors, most frequent first. */
export function facetsOf(events: readonly LoggedEvent[]) {
  const count = (values: string[]) => {
    const counts = new Map<string, number>()
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
    return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  }
  return {
    types: count(events.map(({ type }) => type)).map(([type, events]) => ({ type, events })),
    actors: count(events.map(({ actor }) => actor)).map(([actor, events]) => ({ actor, events })),
  }
}
