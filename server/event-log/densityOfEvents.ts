import { sql } from 'kysely'
import type { Answer, Input } from '#events/endpoint.ts'
import { type eventLog, failureTypes } from '#events/event-log.ts'
import type { Db } from '#server/platform/postgres.ts'
import { streamsOfAgent } from './agentStreams.ts'
import { isMeant } from './meantEvents.ts'

type Asked = Input<typeof eventLog.density>['query']
type Density = Answer<typeof eventLog.density>

/** How the meant events lie over the range that is asked for, else over that from the first to the last of them. */
export async function densityOfEvents(db: Db, { pieces, ...filters }: Asked): Promise<Density> {
  const agentStreams = filters.agent === undefined ? undefined : await streamsOfAgent(db, filters.agent)
  const meant = db.selectFrom('events').where(isMeant(filters, agentStreams))
  const { first, last } = await meant
    .select(({ fn }) => [fn.min('at').as('first'), fn.max('at').as('last')])
    .executeTakeFirstOrThrow()
  const from = filters.from ? Date.parse(filters.from) : first?.getTime()
  // The last event lies within the last piece, which ends before its end.
  const to = filters.to ? Date.parse(filters.to) : last && last.getTime() + 1
  if (from === undefined || to === undefined || to <= from) return { from: null, to: null, pieces: [] }
  const rows = await meant
    .select(({ fn }) => [
      sql<number>`width_bucket(at, ${edges(from, to, pieces)}::timestamptz[])`.as('piece'),
      fn.countAll<number>().as('events'),
      fn
        .countAll<number>()
        .filterWhere('type', 'in', [...failureTypes])
        .as('failures'),
    ])
    .groupBy('piece')
    .execute()
  const found = new Map(rows.map((row) => [row.piece, row]))
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    pieces: Array.from({ length: pieces }, (_, index) => ({
      at: edge(from, to, pieces, index),
      events: found.get(index + 1)?.events ?? 0,
      failures: found.get(index + 1)?.failures ?? 0,
    })),
  }
}

/** Where each piece begins. */
const edges = (from: number, to: number, pieces: number) =>
  Array.from({ length: pieces }, (_, index) => edge(from, to, pieces, index))

const edge = (from: number, to: number, pieces: number, index: number) =>
  new Date(from + Math.floor(((to - from) * index) / pieces)).toISOString()
