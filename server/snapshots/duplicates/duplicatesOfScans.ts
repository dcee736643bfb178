import { sql } from 'kysely'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** What the groups say so far: the versions whose rows make them, oldest first, and the volumes that were counted for them. */
export type Counted = { versions: number[]; volumes: number[] }

/** What the newest commit counted, and the next one goes on from. */
export const countedLast = (db: Db): Promise<Counted> =>
  db.selectFrom('countedDuplicates').select(['versions', 'volumes']).executeTakeFirstOrThrow()

/** The versions that make the groups of some date, or that the next commit goes on from. */
export async function versionsInUse(db: Db): Promise<Set<number>> {
  const known = await db.selectFrom('duplicatesOfScans').select('versions').execute()
  return new Set([await countedLast(db), ...known].flatMap(({ versions }) => versions))
}

/** A number that no version of the groups has had; greater than all that a commit was given before. */
export async function nextVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`SELECT nextval('duplicates_versions') AS version`.execute(db)
  return rows[0]?.version ?? 0
}

/**
 * Remembers what a commit counted, and of which scans: each volume's committed one. A date that shows just these finds its
 * groups by them, today or when it is an older one; one that comes to show others does not.
 */
export async function rememberCounted(trx: Trx, { versions, volumes }: Counted): Promise<void> {
  await trx.updateTable('countedDuplicates').set({ versions, volumes }).execute()
  await sql`
    INSERT INTO duplicates_of_scans (scans, versions)
    SELECT scans, ${versions}::bigint[] FROM (
      SELECT array_agg(committed_scan ORDER BY committed_scan) AS scans FROM volumes WHERE id = ANY (${volumes}::integer[])
    ) AS counted
    WHERE scans IS NOT NULL AND NOT EXISTS (
      SELECT FROM duplicates_of_scans AS known WHERE known.scans = counted.scans AND unused_since IS NULL)`.execute(trx)
}
