import { pathRulesPattern } from '#events/scans/rules.ts'
import { tablesOf } from '#server/workers/ingest/index.ts'
import { composed } from '#server/platform/clickhouse/paths.ts'
import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import type { Commit } from './commit.ts'
import type { Difference } from './compareVersions.ts'
import { foundMoves } from './findMoves.ts'
import { insertFrom } from '#server/platform/clickhouse/largeTables.ts'
import { attributeNames } from '#server/content/snapshots/reading/attributes.ts'
import { removeUnknownVersions } from './leftovers.ts'

/** Closes the versions that this scan no longer shows, and records the way each ended. */
export async function closeVersions(commit: Commit, difference: Difference): Promise<void> {
  const { clickhouse, scan, volume } = commit
  const { changes } = tablesOf(scan.id)
  await removeUnknownVersions(clickhouse, volume.id, volume.committedScan)
  const columns = `volume, from_scan, to_scan, ended, moved_to, parent_path, name, is_directory, previous_path`
  await insertFrom(
    clickhouse,
    'entry_history',
    sql`
    SELECT ${volume.id}, c.o_from_scan, ${scan.id},
      multiIf(c.n_here, 'changed', m.here, 'moved', ${left(commit)}, 'no longer indexed', 'deleted'), m.moved_to,
      c.parent_path, c.name, c.is_directory, c.o_previous_path, ${text(attributeNames('c', 'o_'))}
    FROM ${changes} AS c
    LEFT JOIN (
      SELECT true AS here, from_parent_path, from_name, is_directory, concat(parent_path, name) AS moved_to
      FROM ${foundMoves(commit, difference)}
    ) AS m ON c.parent_path = m.from_parent_path AND c.name = m.from_name AND c.is_directory = m.is_directory
    WHERE c.o_here AND NOT c.is_same`,
    `${columns}, ${attributeNames()}`,
  )
}

/** True for a vanished entry that the volume's rules now exclude from scans; it may still be on the disk. */
function left({ volume }: Commit): Sql {
  const ignored = pathRulesPattern(volume.ignoredPaths)
  const foldersOnly = pathRulesPattern(volume.indexFolderOnlyPaths)
  const folder = sql`substring(c.parent_path, 1, length(c.parent_path) - 1)`
  return sql`(${ignored === undefined ? false : sql`match(${composed(sql`concat(c.parent_path, c.name)`)}, ${ignored})`}
    OR ${foldersOnly === undefined ? false : sql`(NOT c.is_directory AND match(${composed(folder)}, ${foldersOnly}))`})`
}
