import { type ExpressionBuilder, type Expression, type SqlBool, sql } from 'kysely'
import type { EventFilters } from '#events/event-log/calls.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'

type Events = ExpressionBuilder<Tables, 'events'>
type Condition = Expression<SqlBool>

/** Condition: an event matches all filters. `agentStreams` are those of the agent to filter by. */
export const isMeant = (filters: EventFilters, agentStreams?: AgentStreams) => (events: Events) =>
  events.and([
    ...(filters.stream ? [ofStream(events, filters.stream)] : []),
    ...(filters.type.length > 0 ? [events('type', 'in', filters.type)] : []),
    ...(filters.actor ? [events('actor', '=', filters.actor)] : []),
    ...(filters.text ? [holding(events, filters.text)] : []),
    ...(filters.from ? [events('at', '>=', sql<Date>`${filters.from}::timestamptz`)] : []),
    ...(filters.to ? [events('at', '<', sql<Date>`${filters.to}::timestamptz`)] : []),
    ...(agentStreams ? [agentStreams(events)] : []),
  ])

export type AgentStreams = (events: Events) => Condition

function ofStream(events: Events, stream: string): Condition {
  if (!stream.endsWith('*')) return events('stream', '=', stream)
  return events('stream', 'like', `${verbatim(stream.slice(0, -1))}%`)
}

/** Identical to the expression of the index in the migration. */
const wholeEvent = sql<string>`(data::text || ' ' || stream || ' ' || actor || ' ' || coalesce(address, ''))`

/** Searches the event's data, stream, actor and source address. */
function holding(events: Events, text: string): Condition {
  const pattern = `%${verbatim(text)}%`
  const inData = JSON.stringify(text).slice(1, -1)
  if (inData === text) return events(wholeEvent, 'ilike', pattern)
  return events.or([
    events(wholeEvent, 'ilike', `%${verbatim(inData)}%`),
    events('stream', 'ilike', pattern),
    events('actor', 'ilike', pattern),
  ])
}

/** Text in a LIKE pattern, with wildcards escaped. */
const verbatim = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
