import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { HealthProblem } from '#events/health.ts'
import { asLogged, newestPosition, selectReadableEvents } from '#server/messages/event-log/index.ts'
import { asNotSent, refuseInDemo } from '#server/messages/notifications/index.ts'
import { whileClockIsPlausible } from '#server/platform/clock.ts'
import { standsBack } from '#server/platform/log/standBack.ts'
import { NotSent } from '#server/platform/mail/notSent.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { inTurn } from '#server/workers/tasks/index.ts'
import { type DestinationRow, noBatch, ofTopics, openAccess, readSender } from './destinationRows.ts'
import { renderBatch, renderEvent } from './renderEvents.ts'
import { type Accepted, type Batch, transmit } from './transmit.ts'

type Stores = Pick<Platform, 'db' | 'config' | 'log' | 'live'>
type WithBatch = DestinationRow & { batch: string; batchKey: string; batchTo: number }

/** Milliseconds between looks for new events, and between looks while the log is quiet. */
const intervalMs = 1_000
const quietMs = 10_000
/** Milliseconds until the first retry, which double with each failure, up to the maximum. */
const defaultRetryMs = 1_000
const maxRetryMs = 5 * 60_000
/** Milliseconds that a stopping server waits for a receiver; the next one sends that batch again. */
const stopTimeoutMs = 5_000

/** Bounds of a batch, and the events by which the next one may be larger if the receiver took smaller ones only. */
const maxEvents = 500
const moreEvents = 10
const maxBytes = 256 * 1024

/** Options of tests. */
type Times = { intervalMs?: number; retryMs?: number }

/** Sends the event log to its destinations, each by one server at a time, and separately: one that doesn't answer delays no other. */
export function startSendingEvents(platform: Stores, times: Times = {}): Running {
  const { db, log } = platform
  const active = new Map<number, Promise<void>>()
  let isOver = false
  const start = async () => {
    if (standsBack()) return
    for (const { id } of await dueDestinations(db)) {
      if (active.has(id) || isOver) continue
      const sending = sendWaiting(platform, id, { times, isOver: () => isOver })
        .catch((error: unknown) => log.warn({ error, id }, 'could not send the event log, will retry'))
        .finally(() => active.delete(id))
      active.set(id, sending)
    }
  }
  const round = () => whileClockIsPlausible(db, start)
  const looking = runEvery(
    times.intervalMs ?? intervalMs,
    round,
    'could not send the event log, will retry',
    log,
    quietMs,
  )
  return {
    async stop() {
      isOver = true
      await looking.stop()
      await Promise.race([Promise.all(active.values()), setTimeout(stopTimeoutMs, undefined, { ref: false })])
    },
  }
}

/** Condition: the next try is due. A time further ahead than any delay was stored before the clock was corrected. */
const isDue = (now = Date.now()) =>
  sql<boolean>`next_try_at NOT BETWEEN ${new Date(now)} AND ${new Date(now + 2 * maxRetryMs)}`

const dueDestinations = (db: Db) =>
  db
    .selectFrom('eventDestinations')
    .select('id')
    .where(isDue())
    .where(({ or, eb, selectFrom }) => {
      const newest = selectFrom('events').select(({ fn }) => fn.max('position').as('newest'))
      return or([eb('batch', 'is not', null), eb('position', '<', newest)])
    })
    .execute()

type Round = { times: Times; isOver: () => boolean }

/** Sends batch after batch until none is left, or one fails. The turn ends with the connection, so a server without it stores nothing. */
async function sendWaiting(platform: Stores, id: number, { times, isOver }: Round): Promise<void> {
  await inTurn(platform.db, `event destination ${id}`, async (held) => {
    for (let isSent = true; isSent && !isOver();) {
      const due = held.selectFrom('eventDestinations').selectAll().where('id', '=', id).where(isDue())
      const row = await due.executeTakeFirst()
      if (!row) return
      const next = row.batch === null ? await nextBatch(held, row).catch(asNotSent) : (row as WithBatch)
      if (!next) return
      isSent =
        next instanceof NotSent
          ? await keepFailure(platform, held, { row, failure: next, times })
          : await sendBatch(platform, held, next, times)
      platform.live({ type: 'changed', topics: ['eventDestinations'] })
    }
  })
}

/** Stores the next events as the batch to send, so that it stays the same. Undefined without any. */
async function nextBatch(db: Db, row: DestinationRow): Promise<WithBatch | undefined> {
  const { id, kind, topics, position } = row
  // Only while it has the same kind and topics: another call may change them.
  const store = db
    .updateTable('eventDestinations')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where(sql<boolean>`topics = ${topics}::text[]`)
  const newest = await newestPosition(db)
  const rows = await selectReadableEvents(db)
    .where('position', '>', position)
    .where('position', '<=', newest)
    .where(ofTopics(topics))
    .orderBy('position')
    .limit(row.maxEvents)
    .execute()
  if (rows.length === 0) {
    // The next look skips events of other topics.
    await store.set({ position: newest }).execute()
    return undefined
  }
  const sender = await readSender(db)
  const events: string[] = []
  let [batchTo, bytes] = [position, 0]
  for (const one of rows) {
    const event = renderEvent(kind, asLogged(one), sender)
    bytes += Buffer.byteLength(event)
    if (bytes > maxBytes && events.length > 0) break
    events.push(event)
    batchTo = one.position
  }
  const batch = { batch: renderBatch(kind, events, sender), batchKey: randomUUID(), batchTo }
  return (await store.set(batch).returningAll().executeTakeFirst()) as WithBatch | undefined
}

/** Returns true if another batch can be sent at once. The position only advances if the destination still has this batch. */
async function sendBatch(platform: Stores, db: Db, row: WithBatch, times: Times): Promise<boolean> {
  const { id, batch: body, batchKey, batchTo } = row
  const outcome = await attempt(platform, row, { key: batchKey, body }).catch(asNotSent)
  if (outcome instanceof NotSent) return keepFailure(platform, db, { row, failure: outcome, times })
  const { refused, reason, confirms } = outcome
  await db
    .updateTable('eventDestinations')
    .where('id', '=', id)
    .where('batchKey', '=', batchKey)
    .set((eb) => ({
      position: batchTo,
      ...noBatch,
      maxEvents: Math.min(maxEvents, row.maxEvents + moreEvents),
      sentAt: new Date(),
      tries: 0,
      error: null,
      confirms,
      ...(refused > 0 && { lost: eb('lost', '+', refused), lostReason: `Refused by the receiver: ${reason}` }),
    }))
    .execute()
  return true
}

type Failed = { row: DestinationRow; failure: NotSent; times: Times }

/** Stores a failed try. Returns true if the receiver may accept a smaller batch, which is sent at once. */
async function keepFailure({ log }: Stores, db: Db, { row, failure, times }: Failed): Promise<boolean> {
  const { id, name, batchKey, tries } = row
  const { message: reason, cause, isTooLarge, retryAfterMs = 0 } = failure
  const change = db
    .updateTable('eventDestinations')
    .where('id', '=', id)
    .where('batchKey', 'is not distinct from', batchKey)
  if (isTooLarge && row.maxEvents > 1) {
    await change.set({ ...noBatch, maxEvents: Math.floor(row.maxEvents / 2) }).execute()
    return true
  }
  const delay = Math.min(maxRetryMs, (times.retryMs ?? defaultRetryMs) * 2 ** Math.min(tries, 20))
  const nextTryAt = new Date(Date.now() + Math.min(maxRetryMs, Math.max(delay, retryAfterMs)))
  await change.set({ error: reason, tries: tries + 1, nextTryAt }).execute()
  log.warn({ destination: name, tries, reason, cause }, 'could not send the event log, will retry')
  return false
}

/**
 * Sends a batch. A receiver that ended TLS as the standard says, and then ends only the connection, may not have read everything: the batch is
 * sent again once.
 */
async function attempt({ config }: Stores, row: WithBatch, batch: Batch): Promise<Accepted> {
  refuseInDemo(config)
  const accepted = await transmit(config, { ...row, ...(await openAccess(config, row)) }, batch)
  const unclear = `${row.address} closed the connection before it confirmed the events`
  if (row.confirms && !accepted.confirms && row.error !== unclear) throw new NotSent(unclear)
  return accepted
}

/** Failed attempts in a row, over about half an hour, after which a destination is a problem of the product. */
const minTries = 12

/** Destinations that accept nothing for a while. */
export async function destinationProblems(db: Db): Promise<HealthProblem[]> {
  const failing = db.selectFrom('eventDestinations').select(['id', 'name', 'error']).where('tries', '>=', minTries)
  return (await failing.orderBy('id').execute()).map(({ id, name, error }) => ({
    key: `event log destination ${id}`,
    message: `The event log can't be sent to ${name}: ${error}. Its events wait. Check Event log destinations in Settings > System.`,
  }))
}
