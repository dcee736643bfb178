import { type SelectQueryBuilder, sql } from 'kysely'
import type { Answer, Input } from '#events/endpoint.ts'
import { type EventFilters, type eventLog, failureTypes } from '#events/event-log.ts'
import type { Db } from '#server/platform/postgres.ts'
import type { Tables } from '#server/platform/tables.ts'
import { streamsOfAgent } from './agentStreams.ts'
import { isMeant } from './meantEvents.ts'

type Asked = Input<typeof eventLog.density>['query']
type Density = Answer<typeof eventLog.density>

/**
 * How the meant events lie over the range that is asked for, else over that from the first to the last of them. Pieces
 * are whole milliseconds long, so of a short range there are fewer than `pieces`.
 */
export async function densityOfEvents(db: Db, { pieces: most, ...filters }: Asked): Promise<Density> {
  const agentStreams = filters.agent === undefined ? undefined : await streamsOfAgent(db, filters.agent)
  const meant = db.selectFrom('events').where(isMeant(filters, agentStreams))
  const range = await rangeOf(meant, filters)
  if (!range) return { from: null, to: null, pieces: [] }
  const { from, to } = range
  const length = Math.ceil((to - from) / most)
  const count = (events: typeof meant) => countPieces(events, from, length)
  const [all, failed] = await Promise.all([count(meant), count(meant.where('type', 'in', [...failureTypes]))])
  const pieces = Array.from({ length: Math.ceil((to - from) / length) }, (_, index) => {
    const at = new Date(from + index * length).toISOString()
    return { at, events: all.get(at) ?? 0, failures: failed.get(at) ?? 0 }
  })
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), pieces }
}

type Meant = SelectQueryBuilder<Tables, 'events', object>

async function rangeOf(meant: Meant, filters: EventFilters): Promise<{ from: number; to: number } | undefined> {
  const { first, last } = await meant
    .select(({ fn }) => [fn.min('at').as('first'), fn.max('at').as('last')])
    .executeTakeFirstOrThrow()
  if (!first || !last) return undefined
  const from = filters.from ? Date.parse(filters.from) : first.getTime()
  // The last event lies within the last piece, which ends before its end.
  const to = filters.to ? Date.parse(filters.to) : last.getTime() + 1
  return { from, to }
}

/** How many events there are in each piece that has any, by its beginning. */
async function countPieces(events: Meant, from: number, length: number): Promise<Map<string, number>> {
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
