import { sql } from 'kysely'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** The first key of the advisory locks of the tags of a volume's entries. */
const ofTags = 0x746167

/** The last day there is: a tag until then is one that an entry still has. */
export const endOfDays = '2149-06-06'

/**
 * Keeps the tags of volumes for one change until the transaction is over, so that what it reads still holds when it
 * writes. Always in the order of the volumes: nobody waits for somebody who waits.
 */
export async function lockTags(trx: Trx, volumeIds: number[]): Promise<void> {
  for (const volumeId of [...new Set(volumeIds)].sort((a, b) => a - b))
    await sql`SELECT pg_advisory_xact_lock(${ofTags}::integer, ${volumeId}::integer)`.execute(trx)
}

/** The version of the rows that a change writes to `entry_tags`: above those of all changes before. */
export async function nextTagVersion(db: Db | Trx): Promise<number> {
  const { rows } = await sql<{ next: number }>`SELECT nextval('tag_versions') AS next`.execute(db)
  return rows[0]?.next ?? 0
}
