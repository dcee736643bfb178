import { tablesOf } from '#server/workers/ingest/index.ts'
import { sql, text, typed } from '#server/platform/clickhouse/sql.ts'
import { insertFrom } from '#server/platform/clickhouse/largeTables.ts'
import { extensionOf } from '#server/content/snapshots/commit/entryVersion.ts'
import type { Commit } from '#server/content/snapshots/commit/commit.ts'
import type { Difference } from '#server/content/snapshots/commit/compareVersions.ts'
import { foundMoves } from '#server/content/snapshots/commit/findMoves.ts'

/** Adds the numbers of files that a flush changed, by folder and owner. `at`: milliseconds UTC. */
export function recordChanges(commit: Commit, difference: Difference, at: number): Promise<void> {
  const { clickhouse, scan, volume } = commit
  const { changes } = tablesOf(scan.id)
  const moves = foundMoves(commit, difference)
  const came = sql`(parent_path, name, is_directory) IN (SELECT parent_path, name, is_directory FROM ${moves})`
  const went = sql`(parent_path, name, is_directory) IN (SELECT from_parent_path, from_name, is_directory FROM ${moves})`
  const other = text(`${extensionOf('name')} != ${extensionOf('from_name')}`)
  const renamed = sql`(parent_path, name, is_directory) IN (SELECT parent_path, name, is_directory FROM ${moves} WHERE ${other})`
  return insertFrom(
    clickhouse,
    'live_changes',
    sql`
    SELECT ${volume.id}, fromUnixTimestamp64Milli(${typed(at, 'Int64')}, 'UTC'), parent_path, if(n_here, n_owner, o_owner) AS owner,
      countIf(appeared AND NOT ${came}) AS created, countIf(left AND NOT ${went}) AS deleted, countIf(appeared AND ${came}) AS moved,
      countIf(appeared AND ${renamed}) AS renamed,
      countIf(n_here AND o_here AND (n_size != o_size OR n_modified != o_modified)) AS rewritten,
      sumIf(toUInt64(greatest(new - old, 0)), NOT (appeared AND ${came})) AS added, sumIf(toUInt64(greatest(old - new, 0)), NOT (left AND ${went})) AS removed
    FROM (
      SELECT *, n_here AND NOT o_here AS appeared, o_here AND NOT n_here AS left,
        if(n_here, greatest(n_size, 0), 0) AS new, if(o_here, greatest(o_size, 0), 0) AS old
      FROM ${changes} WHERE NOT is_directory)
    GROUP BY parent_path, owner HAVING created + deleted + moved + rewritten > 0`,
  )
}
