import { type SelectQueryBuilder, sql } from 'kysely'
import type { Answer, Input } from '#events/contract/endpoint.ts'
import { type EventFilters, type eventLog, failureTypes } from '#events/event-log/calls.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { streamsOfAgent } from './agentStreams.ts'
import { isMeant } from './selectEvents.ts'

type DensityQuery = Input<typeof eventLog.density>['query']
type Density = Answer<typeof eventLog.density>

/**
 * Distribution of the selected events over the requested range, or from the first to the last of them by default.
 * Intervals are whole milliseconds, so a short range has fewer than `pieces`.
 */
export async function densityOfEvents(db: Db, { pieces: most, ...filters }: DensityQuery): Promise<Density> {
  const agentStreams = filters.agent === undefined ? undefined : await streamsOfAgent(db, filters.agent)
  const selection = db.selectFrom('events').where(isMeant(filters, agentStreams))
  const range = await rangeOf(selection, filters)
  if (!range) return { from: null, to: null, pieces: [] }
  const { from, to } = range
  const length = Math.ceil((to - from) / most)
  const count = (events: typeof selection) => countPieces(events, from, length)
  const [all, failed] = await Promise.all([count(selection), count(selection.where('type', 'in', [...failureTypes]))])
  const pieces = Array.from({ length: Math.ceil((to - from) / length) }, (_, index) => {
    const at = new Date(from + index * length).toISOString()
    return { at, events: all.get(at) ?? 0, failures: failed.get(at) ?? 0 }
  })
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), pieces }
}

type EntrySelection = SelectQueryBuilder<Tables, 'events', object>

async function rangeOf(
  selection: EntrySelection,
  filters: EventFilters,
): Promise<{ from: number; to: number } | undefined> {
  const { first, last } = await selection
    .select(({ fn }) => [fn.min('at').as('first'), fn.max('at').as('last')])
    .executeTakeFirstOrThrow()
  if (!first || !last) return undefined
  const from = filters.from ? Date.parse(filters.from) : first.getTime()
  // Exclusive end, just after the last event.
  const to = filters.to ? Date.parse(filters.to) : last.getTime() + 1
  return { from, to }
}

/** The number of events in each non-empty interval, by its start. */
async function countPieces(events: EntrySelection, from: number, length: number): Promise<Map<string, number>> {
  const stride = sql`${length} * interval '1 millisecond'`
  const rows = await events
    .select(({ fn }) => [
      sql<Date>`date_bin(${stride}, at, ${new Date(from).toISOString()}::timestamptz)`.as('piece'),
      fn.countAll<number>().as('events'),
    ])
    .groupBy('piece')
    .execute()
  return new Map(rows.map(({ piece, events }) => [piece.toISOString(), events]))
}

/** Maximum actors in the list to choose from; others can be typed. */
const maxActors = 200

/** All event types and the actors, most frequent first. */
export async function facetsOfEvents(db: Db): Promise<Answer<typeof eventLog.facets>> {
  const [types, actors] = await Promise.all([countBy(db, 'type', 1_000), countBy(db, 'actor', maxActors)])
  return {
    types: types.map(({ value, events }) => ({ type: value, events })),
    actors: actors.map(({ value, events }) => ({ actor: value, events })),
  }
}

const countBy = (db: Db, column: 'type' | 'actor', most: number) =>
  db
    .selectFrom('events')
    .select(({ ref, fn }) => [ref(column).as('value'), fn.countAll<number>().as('events')])
    .groupBy(column)
    .orderBy('events', 'desc')
    .orderBy('value')
    .limit(most)
    .execute()
