import { sql } from 'kysely'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { lockTags } from './tags/tagChanges.ts'

/** The first keys of the advisory locks of commits: one of each volume, and one of the groups of duplicates. */
const ofVolume = 0x766f6c
const ofDuplicates = 0x647570
/** Of the daily removal of what is too old. */
const ofRetention = 0x726574
/** Of the removal of what no question can read any more. */
const ofClearing = 0x636c72

/** Of the counting of what folders of projects hold. */
const ofFigures = 0x666967

/** Works under the lock of a volume, on the one connection that holds it: when it breaks, so does the work's end. */
export const withVolumeLock = <T>(db: Db, volumeId: number, work: (held: Db) => Promise<T>): Promise<T> =>
  db.connection().execute((held) => locked(held, ofVolume, volumeId, () => work(held)))

/** Works under the lock of a volume, or not at all when another holds it. */
export const withVolumeLockIfFree = (db: Db, volumeId: number, work: (held: Db) => Promise<void>): Promise<void> =>
  ifFree(db, ofVolume, volumeId, work)

/** Works while no other replica removes what is too old, or not at all when one does. */
export const withRetentionLockIfFree = (db: Db, work: () => Promise<void>): Promise<void> =>
  ifFree(db, ofRetention, 0, work)

/** Works while no other replica counts what folders of projects hold, or not at all when one does. */
export const withFiguresLockIfFree = (db: Db, work: () => Promise<void>): Promise<void> =>
  ifFree(db, ofFigures, 0, work)

/** Works while no other commit counts duplicates or switches. */
export const withDuplicatesLock = <T>(held: Db, work: () => Promise<T>): Promise<T> =>
  locked(held, ofDuplicates, 0, work)

/** Works while no commit counts duplicates or switches, or not at all when one does. */
export const withDuplicatesLockIfFree = (db: Db, work: (held: Db) => Promise<void>): Promise<void> =>
  ifFree(db, ofDuplicates, 0, work)

/**
 * Works while no commit is under way and no tags of entries change; what is under way is waited for, and what comes waits.
 * To be short, for all scans that end wait.
 */
export const withCommitsHeldBack = <T>(db: Db, work: () => Promise<T>): Promise<T> =>
  db.transaction().execute(async (trx) => {
    const volumes = await trx.selectFrom('volumes').select('id').orderBy('id').execute()
    const ids = volumes.map(({ id }) => id)
    for (const id of ids) await sql`SELECT pg_advisory_xact_lock(${ofVolume}::integer, ${id}::integer)`.execute(trx)
    await lockTags(trx, ids)
    return work()
  })

/** Removes what no question can read any more, unless somebody keeps it. */
export const withClearingLockIfFree = (db: Db, work: () => Promise<void>): Promise<void> =>
  ifFree(db, ofClearing, 0, work)

/**
 * Works while all that the snapshots of now show stays, however long that takes; others may, too. Fails when it may not have
 * stayed.
 */
export const withVersionsKept = <T>(db: Db, work: () => Promise<T>): Promise<T> =>
  db.connection().execute(async (held) => {
    await lock(held, ofClearing, 0, shared)
    const done = await work().catch(async (error: unknown) => {
      await unlock(held, ofClearing, 0, shared)
      throw error
    })
    if (await unlock(held, ofClearing, 0, shared)) return done
    throw new Error('The connection to Postgres broke while rows were to be kept')
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

/** How a lock is held: by one, or by several of whom none is alone. */
const alone = sql.raw('')
const shared = sql.raw('_shared')

const lock = (held: Db, what: number, which: number, how = alone) =>
  sql`SELECT pg_advisory_lock${how}(${what}::integer, ${which}::integer)`.execute(held)

/** Whether it was held until now: where the connection broke, the lock is gone with it. */
const unlock = async (held: Db, what: number, which: number, how = alone): Promise<boolean> => {
  const unlocking = sql<{ held: boolean }>`
    SELECT pg_advisory_unlock${how}(${what}::integer, ${which}::integer) AS held`
  const answer = await unlocking.execute(held).catch(() => undefined)
  return answer?.rows[0]?.held ?? false
}
