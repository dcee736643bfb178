import { sql } from 'kysely'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** First keys of the advisory locks of commits: one for each volume, and one for the groups of duplicates. */
const ofVolume = 0x766f6c
const ofDuplicates = 0x647570
/** Of a volume's tags. */
const ofTags = 0x746167
/** For the daily removal of old data. */
const ofRetention = 0x726574
/** For the removal of data that no query can read. */
const ofClearing = 0x636c72

/** For counting the folders of projects. */
const ofFigures = 0x666967

/** Runs work under a volume's lock, using the connection that holds it: if that breaks, the work fails. */
export const withVolumeLock = <T>(db: Db, volumeId: number, work: (held: Db) => Promise<T>): Promise<T> =>
  db.connection().execute((held) => locked(held, ofVolume, volumeId, () => work(held)))

/** Runs work under a volume's lock; skips it if the lock is taken. */
export const withVolumeLockIfFree = (db: Db, volumeId: number, work: (held: Db) => Promise<void>): Promise<void> =>
  ifFree(db, ofVolume, volumeId, work)

/** Runs work while no other replica removes old data; skips it if one does. */
export const withRetentionLockIfFree = (db: Db, work: () => Promise<void>): Promise<void> =>
  ifFree(db, ofRetention, 0, work)

/** Runs work while no other replica counts the folders of projects; skips it if one does. */
export const withFiguresLockIfFree = (db: Db, work: () => Promise<void>): Promise<void> =>
  ifFree(db, ofFigures, 0, work)

/** Runs work while no other commit counts duplicates or switches. */
export const withDuplicatesLock = <T>(held: Db, work: () => Promise<T>): Promise<T> =>
  locked(held, ofDuplicates, 0, work)

/** Runs work while no commit counts duplicates or switches; skips it if one does. */
export const withDuplicatesLockIfFree = (db: Db, work: (held: Db) => Promise<void>): Promise<void> =>
  ifFree(db, ofDuplicates, 0, work)

/**
 * Runs work while no commit is running and no tags change: waits for running ones and blocks new ones. Keep it short,
 * because scans that end have to wait.
 */
export const withCommitsHeldBack = <T>(db: Db, work: () => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    const volumes = await trx.selectFrom('volumes').select('id').orderBy('id').execute()
    const ids = volumes.map(({ id }) => id)
    for (const id of ids) await sql`SELECT pg_advisory_xact_lock(${ofVolume}::integer, ${id}::integer)`.execute(trx)
    await lockTags(trx, ids)
    return work()
  })

/**
 * Locks the tags of volumes until the transaction ends, so that what a change reads still holds when it writes. Always
 * in the order of the volumes, to avoid deadlocks.
 */
export async function lockTags(trx: Trx, volumeIds: number[]): Promise<void> {
  for (const volumeId of [...new Set(volumeIds)].sort((a, b) => a - b))
    await sql`SELECT pg_advisory_xact_lock(${ofTags}::integer, ${volumeId}::integer)`.execute(trx)
}

/** Removes data that no query can read, unless someone keeps it. */
export const withClearingLockIfFree = (db: Db, work: () => Promise<void>): Promise<void> =>
  ifFree(db, ofClearing, 0, work)

/**
 * Runs work of any duration while all data of current snapshots is kept; several may do so at once. Throws if the data
 * may not have been kept.
 */
export const withVersionsKept = <T>(db: Db, work: () => Promise<T>): Promise<T> =>
  db.connection().execute(async (held) => {
    await lock(held, ofClearing, 0, shared)
    const done = await work().catch(async (error: unknown) => {
      await unlock(held, ofClearing, 0, shared)
      throw error
    })
    if (await unlock(held, ofClearing, 0, shared)) return done
    throw new Error('The connection to Postgres broke while data had to be kept')
  })

const ifFree = (db: Db, what: number, which: number, work: (held: Db) => Promise<void>): Promise<void> =>
  db.connection().execute(async (held) => {
    const { rows } = await sql<{ free: boolean }>`
      SELECT pg_try_advisory_lock(${what}::integer, ${which}::integer) AS free`.execute(held)
    if (!rows[0]?.free) return
    await work(held).finally(() => unlock(held, what, which))
  })

async function locked<T>(held: Db, what: number, which: number, work: () => Promise<T>): Promise<T> {
  await lock(held, what, which)
  return work().finally(() => unlock(held, what, which))
}

/** Lock mode: exclusive, or shared. */
const alone = sql.raw('')
const shared = sql.raw('_shared')

const lock = (held: Db, what: number, which: number, how = alone) =>
  sql`SELECT pg_advisory_lock${how}(${what}::integer, ${which}::integer)`.execute(held)

/** Returns whether the lock was held until now: if the connection broke, it was lost. */
const unlock = async (held: Db, what: number, which: number, how = alone): Promise<boolean> => {
  const unlocking = sql<{ held: boolean }>`
    SELECT pg_advisory_unlock${how}(${what}::integer, ${which}::integer) AS held`
  const answer = await unlocking.execute(held).catch(() => undefined)
  return answer?.rows[0]?.held ?? false
}
