import { sql } from 'kysely'
import type { Answer, Input } from '#events/contract/endpoint.ts'
import type { ActorKind, EventFilters, eventLog, LoggedEvent } from '#events/event-log/calls.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { streamsOfAgent } from './agentStreams.ts'
import { jobStreamPrefix } from '#events/streams.ts'
import { isMeant } from './selectEvents.ts'
import { eventLine } from '#events/event-log/lines.ts'
import type { Download } from '#server/platform/http/download.ts'

type ListQuery = Input<typeof eventLog.list>['query']

/** A page of the log by position, with the events that match all filters. */
export async function listEvents(db: Db, query: ListQuery): Promise<Answer<typeof eventLog.list>> {
  const [elements, newest] = await Promise.all([readEvents(db, query), newestPosition(db)])
  const last = elements.length === query.size ? elements.at(-1) : undefined
  return { elements, next: last?.position ?? null, newest }
}

/** The matching events, at most `size`. */
async function readEvents(
  db: Db,
  query: ListQuery,
  select: (db: Db) => ReturnType<typeof selectEvents> = selectReadableEvents,
): Promise<LoggedEvent[]> {
  const { direction, size, after: _, before: __, ...filters } = query
  const { after, before } = await boundsOf(db, query)
  const agentStreams = filters.agent === undefined ? undefined : await streamsOfAgent(db, filters.agent)
  const rows = await select(db)
    .where(isMeant(filters, agentStreams))
    .$if(after !== undefined, (rows) => rows.where('position', '>', after ?? 0))
    .$if(before !== undefined, (rows) => rows.where('position', '<', before ?? 0))
    .orderBy('position', direction)
    .limit(size)
    .execute()
  return rows.map(asLogged)
}

/**
 * Positions and times have nearly the same order, which Postgres doesn't know: without bounds it would read everything
 * newer than the range to find the newest event within it.
 */
async function boundsOf(db: Db, { after, before, direction, from, to }: ListQuery) {
  const far =
    direction === 'desc' ? to !== undefined && before === undefined : from !== undefined && after === undefined
  if (!far) return { after, before }
  const { first, last } = await db
    .selectFrom('events')
    .where(isMeant({ type: [], from, to }))
    // For a sum, Postgres doesn't look for the minimum by walking through all positions.
    .select([sql<number | null>`min(position + 0)`.as('first'), sql<number | null>`max(position + 0)`.as('last')])
    .executeTakeFirstOrThrow()
  return {
    after: Math.max(after ?? 0, (first ?? 1) - 1),
    before: Math.min(before ?? Number.MAX_SAFE_INTEGER, (last ?? 0) + 1),
  }
}

export async function findEvent(db: Db, position: number): Promise<LoggedEvent | undefined> {
  const row = await selectReadableEvents(db).where('position', '=', position).executeTakeFirst()
  return row && asLogged(row)
}

export async function newestPosition(db: Db): Promise<number> {
  const { newest } = await db
    .selectFrom('events')
    .select(({ fn }) => fn.max('position').as('newest'))
    .executeTakeFirstOrThrow()
  return newest ?? 0
}

/** Events as stored rows; `asLogged` converts them for the wire. */
export const selectEvents = (db: Db) =>
  db
    .selectFrom('events')
    .select(['position', 'stream', 'version', 'type', 'actor', 'actorKind', 'actorId', 'address', 'at', 'data'])

/** Events as rows for people; events of tasks include the name of their target. */
export const selectReadableEvents = (db: Db) =>
  selectEvents(db).select(
    sql<LoggedEvent['task'] | null>`CASE WHEN stream LIKE ${`${jobStreamPrefix}%`} THEN (
      SELECT json_build_object('type', tasks.type, 'storage', volumes.name)
      FROM tasks LEFT JOIN scans ON scans.task_id = tasks.id LEFT JOIN volumes ON volumes.id = scans.volume_id
      WHERE tasks.id = (events.data ->> 'taskId')::bigint LIMIT 1) END`.as('task'),
  )

type Row = Omit<LoggedEvent, 'by' | 'at' | 'data' | 'task'> & {
  actorKind: ActorKind | null
  actorId: number | null
  at: Date
  data: object
  task?: LoggedEvent['task'] | null
}
export const asLogged = ({ task, actorKind: kind, actorId: id, ...row }: Row): LoggedEvent => ({
  ...row,
  ...(kind && { by: { kind, id } }),
  at: row.at.toISOString(),
  data: { ...row.data },
  ...(task && { task }),
})

const pageSize = 2_000

/** The selected events as a file, one per line, oldest first, up to the newest event at the time of the request. */
export async function exportEvents(db: Db, filters: EventFilters): Promise<Download> {
  const newest = await newestPosition(db)
  return { name: `events-${newest}.ndjson`, body: linesOf(db, filters, newest) }
}

/** Page by page at the pace of the client; only one page of the log is in memory. */
async function* linesOf(db: Db, filters: EventFilters, newest: number): AsyncGenerator<Uint8Array> {
  for (let after = 0; ;) {
    const query = { ...filters, after, before: newest + 1, direction: 'asc' as const, size: pageSize }
    const page = await readEvents(db, query, selectEvents)
    const last = page.at(-1)
    if (!last) return
    yield Buffer.from(page.map(eventLine).join(''))
    after = last.position
  }
}
