import { sql } from 'kysely'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { RepeatedPlace } from '#server/content/snapshots/reading/repeatedPlaces.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** State of the groups: their versions, oldest first, the volumes counted in them, and the places left out. */
export type DuplicateVersions = { versions: number[]; volumes: number[]; repeated: RepeatedPlace[] }

/** The state after the newest commit, which the next one continues. */
export const countedLast = (db: Db): Promise<DuplicateVersions> =>
  db.selectFrom('countedDuplicates').select(['versions', 'volumes', 'repeated']).executeTakeFirstOrThrow()

/** The versions used by some date or by the next commit. */
export async function versionsInUse(db: Db): Promise<Set<number>> {
  const known = await db.selectFrom('duplicatesOfScans').select('versions').execute()
  return new Set([await countedLast(db), ...known].flatMap(({ versions }) => versions))
}

/** A number unused by any version of the groups, greater than all earlier ones. */
export async function nextVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`SELECT nextval('duplicates_versions') AS version`.execute(db)
  return rows[0]?.version ?? 0
}

/**
 * Stores the counted versions with the scans they include: each volume's committed one. A date with exactly these scans
 * finds its groups by them, now or later; a date with other scans doesn't.
 */
export async function rememberCounted(trx: Trx, { versions, volumes, repeated }: DuplicateVersions): Promise<void> {
  await trx
    .updateTable('countedDuplicates')
    .set({ versions, volumes, repeated: JSON.stringify(repeated) })
    .execute()
  await sql`
    INSERT INTO duplicates_of_scans (scans, versions)
    SELECT scans, ${versions}::bigint[] FROM (
      SELECT array_agg(committed_scan ORDER BY committed_scan) AS scans FROM volumes WHERE id = ANY (${volumes}::integer[])
    ) AS counted
    WHERE scans IS NOT NULL AND NOT EXISTS (
      SELECT FROM duplicates_of_scans AS known WHERE known.scans = counted.scans AND unused_since IS NULL)`.execute(trx)
}
