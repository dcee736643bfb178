import { type ExpressionBuilder, type Expression, type SqlBool, sql } from 'kysely'
import type { EventFilters } from '#events/event-log.ts'
import type { Tables } from '#server/platform/tables.ts'

type Events = ExpressionBuilder<Tables, 'events'>
type Condition = Expression<SqlBool>

/** Whether an event is meant by all filters at once. `agentStreams` are those of the agent that is filtered by. */
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

/** Anywhere in the event: its data as JSON, its stream, its actor or the address that it came from. */
function holding(events: Events, text: string): Condition {
  const within = (words: string) => `%${verbatim(words)}%`
  const escaped = JSON.stringify(text).slice(1, -1)
  return events.or([
    events(sql<string>`data::text`, 'ilike', within(escaped)),
    events('stream', 'ilike', within(text)),
    events('actor', 'ilike', within(text)),
    events('address', 'ilike', within(text)),
  ])
}

/** Text within a pattern of LIKE that means only itself. */
const verbatim = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
