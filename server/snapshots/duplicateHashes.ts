import { type Sql, sql } from '#server/platform/sql.ts'
import { groupsAt } from './countDuplicates.ts'
import { entriesAt } from './entriesAt.ts'
import type { Snapshot } from './snapshotAt.ts'

/**
 * The hashes that more than one entry of a snapshot has, as a subquery: looked up for the newest date, counted for an
 * older one. `among` leaves out hashes that are of no interest.
 */
export function duplicateHashes(snapshot: Snapshot, among?: Sql): Sql {
  const asked = (column: Sql) => (among ? sql`${column} IN ${among}` : sql`1`)
  const { duplicatesVersion: version } = snapshot
  if (version !== undefined) return sql`(SELECT hash FROM ${groupsAt(version, asked(sql`hash`))})`
  return sql`(
    SELECT identification_hash AS hash FROM ${entriesAt(snapshot)}
    WHERE identification_hash != 0 AND ${asked(sql`identification_hash`)}
    GROUP BY identification_hash HAVING count() > 1)`
}
