import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { areDuplicates, type DuplicateRules } from '#server/content/snapshots/reading/duplicateRules.ts'
import { seenRows } from '#server/content/snapshots/reading/entriesAt.ts'
import { notRepeated } from '#server/content/snapshots/reading/repeatedPlaces.ts'
import { inVersions } from './groupVersions.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'

/**
 * The hashes that occur more than once in a snapshot, as a subquery: looked up if the groups of its scans are known,
 * otherwise counted. The rules are applied here and not when counting, so new rules apply at once to every date.
 */
export function duplicateHashes(snapshot: Snapshot): Sql {
  const { duplicatesVersions: versions, rules } = snapshot
  return versions ? lookedUp(versions, rules) : countedDuplicates(snapshot)
}

/** The row with the newest version counts for each hash. */
const newestOf = (versions: readonly number[], rules: DuplicateRules): Sql => sql`(
  SELECT hash FROM duplicate_groups WHERE ${inVersions(versions)} GROUP BY hash
  HAVING ${newest(sql`copies`)} > 1
    AND ${areDuplicates(rules, newest(sql`is_directory`), sql`${newest(sql`bytes`)} / ${newest(sql`copies`)}`)})`
const newest = (column: Sql): Sql => sql`argMax(${column}, version)`

/** Same in half the time: the oldest version has most hashes, each once, so only those of the others are grouped. */
function lookedUp(versions: readonly number[], rules: DuplicateRules): Sql {
  const oldest = Math.min(...versions)
  const later = versions.filter((version) => version !== oldest)
  if (later.length === 0) return newestOf(versions, rules)
  return sql`(
    SELECT hash FROM duplicate_groups
    WHERE version = ${oldest} AND copies > 1 AND ${areDuplicates(rules, sql`is_directory`, sql`bytes / copies`)}
      AND hash NOT IN (SELECT hash FROM duplicate_groups WHERE ${inVersions(later)})
    UNION ALL SELECT hash FROM ${newestOf(later, rules)})`
}

/** Same, counted from the entries; `among` limits the hashes. The folders above those that the caller sees have none. */
export function countedDuplicates(snapshot: Snapshot, among?: Sql): Sql {
  const hasHash = sql`identification_hash != 0 AND ${notRepeated(snapshot.repeated, snapshot.volumes)}`
  return sql`(
    SELECT identification_hash AS hash
    FROM ${seenRows(snapshot)(among ? sql`${hasHash} AND identification_hash IN ${among}` : hasHash)}
    GROUP BY identification_hash
    HAVING count() > 1 AND ${areDuplicates(snapshot.rules, sql`any(is_directory)`, sql`avg(greatest(size, 0))`)})`
}
