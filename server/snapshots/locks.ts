import { sql } from 'kysely'
import type { Db } from '#server/platform/postgres.ts'

/** The first keys of the advisory locks of commits: one of each volume, and one of the groups of duplicates. */
const ofVolume = 0x766f6c
const ofDuplicates = 0x647570
/** Of the daily removal of what is too old. */
const ofRetention = 0x726574

/** Works under the lock of a volume, on the one connection that holds it: when it breaks, so does the work's end. */
export const withVolume = <T>(db: Db, volumeId: number, work: (held: Db) => Promise<T>): Promise<T> =>
  db.connection().execute((held) => locked(held, ofVolume, volumeId, () => work(held)))

/** Works under the lock of a volume, or not at all when another holds it. */
export const withVolumeIfFree = (db: Db, volumeId: number, work: (held: Db) => Promise<void>): Promise<void> =>
  ifFree(db, ofVolume, volumeId, work)

/** Works while no other replica removes what is too old, or not at all when one does. */
export const withRetentionIfFree = (db: Db, work: () => Promise<void>): Promise<void> =>
  ifFree(db, ofRetention, 0, work)

/** Works while no other commit counts duplicates or switches. */
export const withDuplicates = <T>(held: Db, work: () => Promise<T>): Promise<T> => locked(held, ofDuplicates, 0, work)

const ifFree = (db: Db, what: number, which: number, work: (held: Db) => Promise<void>): Promise<void> =>
  db.connection().execute(async (held) => {
    const { rows } = await sql<{ free: boolean }>`
      SELECT pg_try_advisory_lock(${what}::integer, ${which}::integer) AS free`.execute(held)
    if (!rows[0]?.free) return
    await work(held).finally(() => unlock(held, what, which))
  })

async function locked<T>(held: Db, what: number, which: number, work: () => Promise<T>): Promise<T> {
  await sql`SELECT pg_advisory_lock(${what}::integer, ${which}::integer)`.execute(held)
  return work().finally(() => unlock(held, what, which))
}

/** Where the connection broke, the lock is gone with it. */
const unlock = async (held: Db, what: number, which: number): Promise<void> => {
  await sql`SELECT pg_advisory_unlock(${what}::integer, ${which}::integer)`.execute(held).catch(() => undefined)
}
