import { sql } from 'kysely'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** First key of the advisory locks of a volume's tags. */
const ofTags = 0x746167

/** The last possible day: a tag that ends then is still in place. */
export const endOfDays = '2149-06-06'

/**
 * Locks the tags of volumes until the transaction ends, so that what a change reads still holds when it writes. Always
 * in the order of the volumes, to avoid deadlocks.
 */
export async function lockTags(trx: Trx, volumeIds: number[]): Promise<void> {
  for (const volumeId of [...new Set(volumeIds)].sort((a, b) => a - b))
    await sql`SELECT pg_advisory_xact_lock(${ofTags}::integer, ${volumeId}::integer)`.execute(trx)
}

/** The version of a change's rows in `entry_tags`: above those of all earlier changes. */
export async function nextTagVersion(db: Db | Trx): Promise<number> {
  const { rows } = await sql<{ next: number }>`SELECT nextval('tag_versions') AS next`.execute(db)
  return rows[0]?.next ?? 0
}
