import { EventEmitter } from 'node:events'
import type { ActorKind } from '#events/event-log/calls.ts'
import { topicOf } from '#events/event-log/destinations.ts'
import type { StreamName, streamNames } from '#events/streams.ts'
import { type Expression, type ExpressionBuilder, sql, type SqlBool, type Transaction } from 'kysely'
import { afterCommit } from '#server/platform/postgres/inTransaction.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'

export type Trx = Transaction<Tables>

/**
 * Author of an event and their address. The name is for display alone: accounts may have any, so the kind and the number
 * say who it is. Without a kind, the id is that of a user, who may act by an API token.
 */
export type Actor = {
  name: string
  address: string | null
  kind?: Exclude<ActorKind, 'user' | 'token'>
  id?: number
  tokenId?: number | null
}
export const system: Actor = { kind: 'system', name: 'system', address: null }

/** Columns of the author. */
function authorOf({ name: actor, address, kind, id, tokenId }: Actor) {
  const number = kind === undefined ? (tokenId ?? id) : id
  const actorId = number === undefined || number === 0 ? null : number
  const ofUser: ActorKind | null = actorId === null ? null : tokenId ? 'token' : 'user'
  return { actor, address, actorKind: kind ?? ofUser, actorId }
}

/** An event as stored in a stream. */
export type RecordedEvent<E> = { position: number; stream: string; version: number; event: E; actor: string; at: Date }

export type AnyEvent = { type: string; at: string }

/** Any number, the same in every replica: with one appender at a time, positions commit in order. */
const appendLock = 7_403_001

/**
 * Appends to a stream the events that `decide` derives from its past, in the caller's transaction. Returns past and new
 * events. Only one transaction appends at a time and holds that lock to its end, so keep the rest short.
 */
export async function append<E extends AnyEvent>(
  trx: Trx,
  stream: StreamName,
  by: Actor,
  evolveVersion: number,
  decide: (past: E[]) => E[],
): Promise<{ past: E[]; events: E[]; version: number }> {
  await lockLog(trx)
  const past = (await readStream<E>(trx, stream)).map(({ event }) => event)
  const events = decide(past)
  await insert(trx, { stream, by, evolveVersion, after: past.length }, events)
  return { past, events, version: past.length + events.length }
}

/** Appends an event to a stream without reading its past, which may be long; under the same lock. */
export async function appendFact(
  trx: Trx,
  stream: StreamName,
  by: Actor,
  evolveVersion: number,
  event: AnyEvent,
): Promise<void> {
  await lockLog(trx)
  const { last } = await trx
    .selectFrom('events')
    .select(({ fn }) => fn.max('version').as('last'))
    .where('stream', '=', stream)
    .executeTakeFirstOrThrow()
  await insert(trx, { stream, by, evolveVersion, after: last ?? 0 }, [event])
}

const appended = new EventEmitter()
appended.setMaxListeners(0)

/** Notifies the followers in this process of possible new events; `inTransaction` does so after appends. */
export const wakeFollowers = (): void => void appended.emit('appended')

/** Notifies the followers in this process of events that another server appended. */
export const hearOfAppend = (): void => void appended.emit('heard')

/** Calls `wake` whenever this process appended; returns a function that ends that. */
export function onAppended(wake: () => void): () => void {
  appended.on('appended', wake)
  return () => void appended.off('appended', wake)
}

/** Calls `wake` whenever this or another server appended; returns a function that ends that. */
export function onGrown(wake: () => void): () => void {
  const stopHearing = onAppended(wake)
  appended.on('heard', wake)
  return () => {
    stopHearing()
    appended.off('heard', wake)
  }
}

type Place = { stream: StreamName; by: Actor; evolveVersion: number; after: number }

async function insert(trx: Trx, { stream, by, evolveVersion, after }: Place, events: AnyEvent[]): Promise<void> {
  if (events.length === 0) return
  afterCommit(trx, wakeFollowers)
  await trx
    .insertInto('events')
    .values(
      events.map((event, i) => ({
        stream,
        version: after + i + 1,
        type: event.type,
        data: JSON.stringify(event),
        evolveVersion,
        ...authorOf(by),
        at: event.at,
      })),
    )
    .execute()
}

/** Deletes old events of a kind of streams, and returns their number. Destinations that have not received them count them. */
export async function deleteEvents(
  trx: Trx,
  kind: keyof typeof streamNames,
  which: (events: ExpressionBuilder<Tables, 'events'>) => Expression<SqlBool>,
): Promise<number> {
  const deleted = await trx.deleteFrom('events').where(which).returning('position').execute()
  const positions = deleted.map(({ position }) => position)
  await sql`
    UPDATE event_destinations SET lost = lost + waiting, lost_reason = 'Deleted by the data retention before they were sent'
    FROM (SELECT id AS late, count(*) AS waiting FROM event_destinations, unnest(${positions}::bigint[]) AS deleted
      WHERE deleted > greatest(position, batch_to) AND ${topicOf(kind)} = ANY (topics) GROUP BY id) AS missed
    WHERE id = late`.execute(trx)
  return positions.length
}

/** Blocks other appends until the transaction ends. */
export const lockLog = async (trx: Trx): Promise<void> =>
  void (await sql`SELECT pg_advisory_xact_lock(${appendLock})`.execute(trx))

export const readStream = async <E>(db: Db | Trx, stream: string): Promise<RecordedEvent<E>[]> =>
  (await selectEvents(db).where('stream', '=', stream).orderBy('version').execute()).map(recorded<E>)

/** Reads up to `limit` events of the log after a position, in order. */
export const readLog = async <E>(db: Db | Trx, after: number, limit: number): Promise<RecordedEvent<E>[]> =>
  (await selectEvents(db).where('position', '>', after).orderBy('position').limit(limit).execute()).map(recorded<E>)

const selectEvents = (db: Db | Trx) =>
  db.selectFrom('events').select(['position', 'stream', 'version', 'data', 'actor', 'at'])

const recorded = <E>({ data, ...row }: Awaited<ReturnType<ReturnType<typeof selectEvents>['execute']>>[number]) =>
  ({ ...row, event: data as E }) satisfies RecordedEvent<E>
