import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { EventEmitter } from 'node:events'
import { type AnyEvent, onGrown, type RecordedEvent, type Trx, readLog } from './eventLog.ts'
import { standsBack } from './standBack.ts'
import { isStoreLost } from '#server/platform/storeErrors.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** Handles an event. Its writes through `trx` are stored atomically with the position. */
type Handle = (event: RecordedEvent<AnyEvent>, trx: Trx) => Promise<void>

/**
 * Passes each event of the log to `handle`, in order and without gaps, from the position stored under `name`; in one
 * replica at a time, and none of an earlier version while a newer one runs: it would skip events that it doesn't know. An event whose
 * handler throws is retried after a pause, so handlers must be repeatable; after five failures it is skipped and reported. Appends of
 * any server wake it at once.
 */
export function follow(
  db: Db,
  name: string,
  handle: Handle,
  failed: (error: unknown) => void,
): { stop(): Promise<void> } {
  const wake = new EventEmitter()
  const woken = () => wake.emit('wake')
  const stopListening = onGrown(woken)
  let stopping = false
  const patient = patiently(handle, failed)
  const run = async () => {
    while (!stopping) {
      const waiting = pause(wake)
      const next = await step(db, name, patient).catch((error: unknown) => void failed(error))
      if (next === 'more' || stopping) waiting.end()
      else await waiting.until(next === 'end' ? quietMs : retryMs)
    }
  }
  const running = run()
  return {
    async stop() {
      stopping = true
      stopListening()
      woken()
      await running
    },
  }
}

/** Failures of an event, while the stores work, until it is skipped. */
const maxFailures = 5

/** Skips an event after five failures, and reports that: no event keeps all later ones waiting forever. */
function patiently(handle: Handle, failed: (error: unknown) => void): Handle {
  let failing = { position: -1, failures: 0 }
  return async (event, trx) => {
    const { position } = event
    const failures = failing.position === position ? failing.failures : 0
    if (failures >= maxFailures) return
    try {
      await handle(event, trx)
    } catch (error) {
      if (isStoreLost(error)) throw error
      failing = { position, failures: failures + 1 }
      if (failing.failures === maxFailures)
        failed(new Error(`Skipped the event at ${position} after ${maxFailures} attempts`, { cause: error }))
      throw error
    }
  }
}

/** Milliseconds until the log is read again after a failure, or while another server reads it. */
const retryMs = 1_000
/** Milliseconds until it is read again without a notice, which is lost if NATS is away. */
const quietMs = 30_000

/** Begins to wait for a wake, which may come before the maximum wait is known. */
function pause(wake: EventEmitter) {
  const woken = Promise.withResolvers<void>()
  const end = () => {
    wake.off('wake', end)
    woken.resolve()
  }
  wake.on('wake', end)
  return {
    end,
    until(milliseconds: number): Promise<void> {
      const timer = setTimeout(end, milliseconds)
      return woken.promise.finally(() => clearTimeout(timer))
    },
  }
}

/** Handles the next events. Returns whether there may be more, this was the end, or another server handles them. */
async function step(db: Db, name: string, handle: Handle): Promise<'more' | 'end' | 'elsewhere'> {
  if (standsBack()) return 'elsewhere'
  const limit = 100
  await db
    .insertInto('followers')
    .values({ name })
    .onConflict((on) => on.doNothing())
    .execute()
  return inTransaction(db, async (trx) => {
    const stored = await trx
      .selectFrom('followers')
      .select('position')
      .where('name', '=', name)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!stored) return 'elsewhere'
    const events = await readLog<AnyEvent>(trx, stored.position, limit)
    for (const event of events) await handle(event, trx)
    const last = events.at(-1)
    if (last) await trx.updateTable('followers').set({ position: last.position }).where('name', '=', name).execute()
    return events.length === limit ? 'more' : 'end'
  })
}
