import { tablesOf } from '#server/workers/ingest/index.ts'
import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { known, type StagedCommit } from './commit.ts'
import { insertFrom, recreateTable } from '#server/platform/clickhouse/largeTables.ts'
import { accessDiffers, differs } from './entryVersion.ts'
import { attributeNames, attributes } from '#server/content/snapshots/reading/attributes.ts'
import { isInScope } from './deltaScope.ts'
import { comparedFolders } from './sameFiles.ts'
import { newFiles, newFolders } from './rollUp.ts'

/** Numbers of differences between the scan and the volume's newest versions. */
export type Difference = { changes: number; ended: number; appeared: number }

/**
 * Compares the scan with the newest versions by a merge join on the key. For each entry that differs, keeps the new
 * version (`n_`), the old one (`o_`), or both. An entry that was only accessed replaces its version (`is_same`) unless
 * accesses make versions. Files that the agent left out are unchanged, and so is all outside the scope of a delta.
 */
export async function compareVersions(commit: StagedCommit): Promise<Difference> {
  const { clickhouse, scan } = commit
  const { changes } = tablesOf(scan.id)
  const folders = different(commit, 'folder', newFolders(commit))
  const files = commit.staged.hasCompared ? different(commit, 'file', newFiles(commit)) : undefined
  await recreateTable(clickhouse, changes, '(parent_path, name, is_directory)', files ?? folders)
  if (files) await insertFrom(clickhouse, changes, folders)
  return clickhouse.one<Difference>(sql`
    SELECT toFloat64(count()) AS changes, toFloat64(countIf(NOT n_here)) AS ended,
      toFloat64(countIf(NOT o_here)) AS appeared
    FROM ${changes}`)
}

const both = ['parent_path', 'name', 'is_directory']
  .map((column) => `if(n.here, n.${column}, o.${column}) AS ${column}`)
  .join(', ')
const sides = attributes.map((name) => `n.\`${name}\` AS \`n_${name}\`, o.\`${name}\` AS \`o_${name}\``).join(', ')

const different = (commit: StagedCommit, kind: 'file' | 'folder', found: Sql) => sql`
  SELECT ${text(both)}, n.here AS n_here, o.here AS o_here, o.from_scan AS o_from_scan,
    o.previous_path AS o_previous_path, o.row_id AS o_row_id, ${text(sides)},
    n.here AND o.here AND NOT (${differs(kind, commit.accessesMakeVersions)}) AS is_same
  FROM ${found} AS n
  FULL JOIN (
    SELECT true AS here, from_scan, row_id, parent_path, name, is_directory, previous_path, ${text(attributeNames())}
    FROM ${known(commit)} AND is_directory = ${kind === 'folder'} AND ${isCompared(commit, kind)}
  ) AS o ON n.parent_path = o.parent_path AND n.name = o.name
  WHERE NOT is_same OR ${accessDiffers(kind)}`

function isCompared(commit: StagedCommit, kind: 'file' | 'folder'): Sql {
  if (commit.staged.rows.deltas > 0) return isInScope(commit)
  return kind === 'file' ? comparedFolders(commit) : sql`1`
}
