import { tablesOf } from '#server/workers/ingest/index.ts'
import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { type Commit, generationsOf, known, type StagedCommit } from './commit.ts'
import { insertFrom } from '#server/platform/clickhouse/largeTables.ts'
import type { Difference } from './compareVersions.ts'
import { attributeNames } from '#server/content/snapshots/reading/attributes.ts'
import { foundMoves } from './findMoves.ts'
import { haveIds } from '#server/content/snapshots/sessions/sessions.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import {
  firstLiveScan,
  partitionId,
  partitionsOf,
  type ReadGenerations,
} from '#server/content/snapshots/reading/entriesAt.ts'
import { newFiles, newFolders } from './rollUp.ts'

const key = 'volume, generation, row_id, from_scan, parent_path, name, is_directory, previous_path'
const columns = `${key}, ${attributeNames()}`
/** With the search key of the name, which would take longer to compute than to copy. */
const columnsWithKey = `${key}, folded_name, ${attributeNames()}`

/** More rows than a statement inserts. */
const idsOfStatement = 2 ** 32

/**
 * IDs of the rows that a statement inserts into a generation, unique among all rows; a generation has two such statements. The server that
 * gets the statement numbers them, also in a cluster, because the rows come from a subquery.
 */
export const nextId = (generation: number, statement: 0 | 1): Sql =>
  sql`toUInt64(${generation}) * ${2 * idsOfStatement} + ${statement * idsOfStatement} + rowNumberInAllBlocks()`

/** The generation of a row, by its ID. */
export const generationOf = (rowId: Sql): Sql => sql`intDiv(${rowId}, ${2 * idsOfStatement})`

/** Writes the first generation of a volume, with all entries of the scan. */
export async function writeFirstGeneration(commit: StagedCommit): Promise<void> {
  const { clickhouse, scan, volume, generation } = commit
  for (const [statement, found] of [[0, newFiles(commit)] as const, [1, newFolders(commit)] as const])
    await insertFrom(
      clickhouse,
      'entries',
      sql`
      SELECT ${volume.id}, ${generation}, ${nextId(generation, statement)}, ${scan.id}, parent_path, name, is_directory, '', ${text(attributeNames())}
      FROM (SELECT * FROM ${found})`,
      columns,
    )
}

/** Maximum number of differences whose keys fit into memory; more are merged in order. */
const maxKeysInMemory = 100_000

/** Writes a generation next to the volume's current one: its unchanged versions, and the new ones of this scan. */
export async function writeGeneration(commit: Commit, difference: Difference): Promise<void> {
  const { clickhouse, volume, generation } = commit
  const unchanged = difference.changes <= maxKeysInMemory ? unchangedBySet(commit) : unchangedByMerge(commit)
  await insertFrom(
    clickhouse,
    'entries',
    sql`
    SELECT ${volume.id}, ${generation}, ${nextId(generation, 0)}, e.from_scan, e.parent_path, e.name, e.is_directory, e.previous_path, e.folded_name,
      ${text(attributeNames('e'))}
    FROM ${unchanged}`,
    columnsWithKey,
  )
  await writeNewVersions(commit, difference)
}

/** More layers, or more rows in them, make questions slower than writing all of them again is worth. */
const maxLayers = 16
const maxShare = 0.1
const alwaysAllowedRows = 1_000

/** Returns whether the differences may be added as a layer. The rows of generations written before there were layers have no IDs. */
export async function fitsInLayer({ clickhouse, volume }: Commit, { changes }: Difference): Promise<boolean> {
  if (volume.layers.length >= maxLayers) return false
  const known = generationsOf(volume)
  if (!(await haveIds(clickhouse, known))) return false
  const [base, ...later] = partitionsOf([known])
  const { baseRows, laterRows } = await clickhouse.one<Record<'baseRows' | 'laterRows', number>>(sql`
    SELECT toFloat64(sumIf(rows, partition_id = ${base})) AS baseRows, toFloat64(sumIf(rows, partition_id IN ${later})) AS laterRows
    FROM ${clickhouse.system.ofShards('parts')}
    WHERE database = currentDatabase() AND table = ${clickhouse.system.storedTable('entries')} AND active`)
  return laterRows + changes <= Math.max(baseRows * maxShare, alwaysAllowedRows)
}

/**
 * Writes a generation that is read along with those before it: the new versions of this scan, and the rows that end with them. With a flush, adds
 * them to the generation of the live state.
 */
export async function writeLayer(commit: Commit, difference: Difference, flush = 0): Promise<void> {
  const { clickhouse, scan, volume, generation } = commit
  await writeNewVersions(commit, difference, flush)
  await insertFrom(
    clickhouse,
    'ended_rows',
    sql`SELECT ${volume.id}, ${generation}, o_row_id, ${flush} FROM ${tablesOf(scan.id).changes} WHERE o_here`,
  )
}

/** IDs of further rows of a generation. */
const furtherId = ({ generation, volume }: Commit): Sql => sql`(
  SELECT greatest(max(row_id) + 1, toUInt64(${generation}) * ${2 * idsOfStatement}) FROM entries
  WHERE _partition_id = ${partitionId(volume.id, generation)}) + rowNumberInAllBlocks()`

function writeNewVersions(commit: Commit, difference: Difference, flush = 0): Promise<void> {
  const { clickhouse, scan, volume, generation } = commit
  const { changes } = tablesOf(scan.id)
  const id = flush > 0 ? furtherId(commit) : nextId(generation, 1)
  const from = flush > 0 ? sql`${firstLiveScan + flush}` : sql`if(c.is_same, c.o_from_scan, ${scan.id})`
  return insertFrom(
    clickhouse,
    'entries',
    sql`
    SELECT ${volume.id}, ${generation}, ${id}, ${from}, c.parent_path, c.name, c.is_directory,
      if(m.here, concat(m.from_parent_path, m.from_name), c.o_previous_path), ${text(attributeNames('c', 'n_'))}
    FROM (SELECT * FROM ${changes} WHERE n_here) AS c
    LEFT ANY JOIN (SELECT true AS here, * FROM ${foundMoves(commit, difference)}) AS m
      ON c.parent_path = m.parent_path AND c.name = m.name AND c.is_directory = m.is_directory`,
    columns,
  )
}

/** Copies rows of a live state into another generation. */
export const copyLiveRows = (
  clickhouse: ClickHouse,
  { volumeId, generation }: Pick<ReadGenerations, 'volumeId' | 'generation'>,
  condition: Sql,
): Promise<void> =>
  insertFrom(
    clickhouse,
    'entries',
    sql`
    SELECT volume, ${generation}, ${nextId(generation, 1)}, from_scan, parent_path, name, is_directory, previous_path, folded_name, ${text(attributeNames())}
    FROM (SELECT * FROM entries WHERE volume = ${volumeId} AND ${condition})`,
    columnsWithKey,
  )

/** Costs a third less than the merge. */
const unchangedBySet = (commit: Commit) => sql`(
    SELECT * FROM ${known(commit)} AND (parent_path, name, is_directory) NOT IN (
      SELECT parent_path, name, is_directory FROM ${tablesOf(commit.scan.id).changes} WHERE o_here)) AS e`

const unchangedByMerge = (commit: Commit) => sql`(SELECT * FROM ${known(commit)}) AS e
    LEFT ANY JOIN (
      SELECT parent_path, name, is_directory, o_here FROM ${tablesOf(commit.scan.id).changes} WHERE o_here) AS c
      ON e.parent_path = c.parent_path AND e.name = c.name AND e.is_directory = c.is_directory
    WHERE NOT c.o_here`
