import { type Sql, sql } from '#server/platform/sql.ts'
import { areDuplicates } from './duplicateRules.ts'
import { entriesAt } from './entriesAt.ts'
import { isOf } from './groupVersions.ts'
import type { Snapshot } from './snapshotAt.ts'

/**
 * The hashes that more than one entry of a snapshot has, as a subquery: looked up where the groups of its scans are
 * known, else counted. `among` leaves out hashes that are of no interest. What is no duplicate by the rules of the day is left out here
 * and not where groups are counted, so that other rules hold at once, for every date.
 */
export function duplicateHashes(snapshot: Snapshot, among?: Sql): Sql {
  const asked = (column: Sql) => (among ? sql`${column} IN ${among}` : sql`1`)
  const { duplicatesVersions: versions, rules } = snapshot
  if (versions !== undefined)
    return sql`(
      SELECT hash FROM duplicate_groups WHERE ${isOf(versions)} AND ${asked(sql`hash`)} GROUP BY hash
      HAVING ${newest(sql`copies`)} > 1
        AND ${areDuplicates(rules, newest(sql`is_directory`), sql`${newest(sql`bytes`)} / ${newest(sql`copies`)}`)})`
  return sql`(
    SELECT identification_hash AS hash FROM ${entriesAt(snapshot)}
    WHERE identification_hash != 0 AND ${asked(sql`identification_hash`)}
    GROUP BY identification_hash
    HAVING count() > 1 AND ${areDuplicates(rules, sql`any(is_directory)`, sql`avg(greatest(size, 0))`)})`
}

const newest = (column: Sql): Sql => sql`argMax(${column}, version)`
