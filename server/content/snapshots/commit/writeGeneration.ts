import { tablesOf } from '#server/workers/ingest/index.ts'
import { sql, text } from '#server/platform/clickhouse/sql.ts'
import { type Commit, known, type StagedCommit } from './commit.ts'
import { insertFrom } from '#server/platform/clickhouse/largeTables.ts'
import type { Difference } from './compareVersions.ts'
import { attributeNames } from '#server/content/snapshots/reading/attributes.ts'
import { foundMoves } from './findMoves.ts'
import { newFiles, newFolders } from './rollUp.ts'

const key = 'volume, generation, from_scan, parent_path, name, is_directory, previous_path'
const columns = `${key}, ${attributeNames()}`
/** With the search key of the name, which would take longer to compute than to copy. */
const columnsWithKey = `${key}, folded_name, ${attributeNames()}`

/** Writes the first generation of a volume, with all entries of the scan. */
export async function writeFirstGeneration(commit: StagedCommit): Promise<void> {
  const { clickhouse, scan, volume, generation } = commit
  for (const found of [newFiles(commit), newFolders(commit)])
    await insertFrom(
      clickhouse,
      'entries',
      sql`
      SELECT ${volume.id}, ${generation}, ${scan.id}, parent_path, name, is_directory, '', ${text(attributeNames())}
      FROM ${found}`,
      columns,
    )
}

/** Maximum number of differences whose keys fit into memory; more are merged in order. */
const maxKeysInMemory = 100_000

/** Writes a generation next to the volume's current one: its unchanged versions, and the new ones of this scan. */
export async function writeGeneration(commit: Commit, difference: Difference): Promise<void> {
  const { clickhouse, scan, volume, generation } = commit
  const { changes } = tablesOf(scan.id)
  const unchanged = difference.changes <= maxKeysInMemory ? unchangedBySet(commit) : unchangedByMerge(commit)
  await insertFrom(
    clickhouse,
    'entries',
    sql`
    SELECT ${volume.id}, ${generation}, e.from_scan, e.parent_path, e.name, e.is_directory, e.previous_path, e.folded_name,
      ${text(attributeNames('e'))}
    FROM ${unchanged}`,
    columnsWithKey,
  )
  await insertFrom(
    clickhouse,
    'entries',
    sql`
    SELECT ${volume.id}, ${generation}, if(c.is_same, c.o_from_scan, ${scan.id}), c.parent_path, c.name, c.is_directory,
      if(m.here, concat(m.from_parent_path, m.from_name), c.o_previous_path), ${text(attributeNames('c', 'n_'))}
    FROM (SELECT * FROM ${changes} WHERE n_here) AS c
    LEFT ANY JOIN (SELECT true AS here, * FROM ${foundMoves(commit, difference)}) AS m
      ON c.parent_path = m.parent_path AND c.name = m.name AND c.is_directory = m.is_directory`,
    columns,
  )
}

/** Costs a third less than the merge. */
const unchangedBySet = (commit: Commit) => sql`(
    SELECT * FROM ${known(commit)} AND (parent_path, name, is_directory) NOT IN (
      SELECT parent_path, name, is_directory FROM ${tablesOf(commit.scan.id).changes} WHERE o_here)) AS e`

const unchangedByMerge = (commit: Commit) => sql`(SELECT * FROM ${known(commit)}) AS e
    LEFT ANY JOIN (
      SELECT parent_path, name, is_directory, o_here FROM ${tablesOf(commit.scan.id).changes} WHERE o_here) AS c
      ON e.parent_path = c.parent_path AND e.name = c.name AND e.is_directory = c.is_directory
    WHERE NOT c.o_here`
