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
  const { after, before, direction, size, ...filters } = asked
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

const selectEvents = (db: Db) =>
  db.selectFrom('events').select(['position', 'stream', 'version', 'type', 'actor', 'address', 'at', 'data'])

type Row = Omit<LoggedEvent, 'at' | 'data'> & { at: Date; data: object }
const asLogged = (row: Row): LoggedEvent => ({ ...row, at: row.at.toISOString(), data: { ...row.data } })
