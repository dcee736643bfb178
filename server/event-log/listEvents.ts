import { sql } from 'kysely'
import type { Answer, Input } from '#events/endpoint.ts'
import type { LoggedEvent, eventLog } from '#events/event-log.ts'
import type { Db } from '#server/platform/postgres.ts'
import { streamsOfAgent } from './agentStreams.ts'
import { isMeant } from './meantEvents.ts'

type Asked = Input<typeof eventLog.list>['query']

/** A page of the log by position, of the events that all filters mean. */
export async function listEvents(db: Db, asked: Asked): Promise<Answer<typeof eventLog.list>> {
  const [elements, newest] = await Promise.all([readEvents(db, asked), newestPosition(db)])
  const last = elements.length === asked.size ? elements.at(-1) : undefined
  return { elements, next: last?.position ?? null, newest }
}

/** The events themselves, at most `size`. */
export async function readEvents(db: Db, asked: Asked): Promise<LoggedEvent[]> {
  const { direction, size, after: _, before: __, ...filters } = asked
  const { after, before } = await boundsOf(db, asked)
  const agentStreams = filters.agent === undefined ? undefined : await streamsOfAgent(db, filters.agent)
  const rows = await selectEvents(db)
    .where(isMeant(filters, agentStreams))
    .$if(after !== undefined, (query) => query.where('position', '>', after ?? 0))
    .$if(before !== undefined, (query) => query.where('position', '<', before ?? 0))
    .orderBy('position', direction)
    .limit(size)
    .execute()
  return rows.map(asLogged)
}

/**
 * Positions and moments have nearly the same order, which Postgres does not know: without a bound it would read all that
 * is newer than the range to get to its newest event.
 */
async function boundsOf(db: Db, { after, before, direction, from, to }: Asked) {
  const far =
    direction === 'desc' ? to !== undefined && before === undefined : from !== undefined && after === undefined
  if (!far) return { after, before }
  const { first, last } = await db
    .selectFrom('events')
    .where(isMeant({ type: [], from, to }))
    // Of a sum, Postgres does not look for the least by walking through all positions.
    .select([sql<number | null>`min(position + 0)`.as('first'), sql<number | null>`max(position + 0)`.as('last')])
    .executeTakeFirstOrThrow()
  return {
    after: Math.max(after ?? 0, (first ?? 1) - 1),
    before: Math.min(before ?? Number.MAX_SAFE_INTEGER, (last ?? 0) + 1),
  }
}

export async function findEvent(db: Db, position: number): Promise<LoggedEvent | undefined> {
  const row = await selectEvents(db).where('position', '=', position).executeTakeFirst()
  return row && asLogged(row)
}

export async function newestPosition(db: Db): Promise<number> {
  const { newest } = await db
    .selectFrom('events')
    .select(({ fn }) => fn.max('position').as('newest'))
    .executeTakeFirstOrThrow()
  return newest ?? 0
}

/** Events as rows; `asLogged` makes of each what goes over the wire. */
export const selectEvents = (db: Db) =>
  db.selectFrom('events').select(['position', 'stream', 'version', 'type', 'actor', 'address', 'at', 'data'])

type Row = Omit<LoggedEvent, 'at' | 'data'> & { at: Date; data: object }
export const asLogged = (row: Row): LoggedEvent => ({ ...row, at: row.at.toISOString(), data: { ...row.data } })
