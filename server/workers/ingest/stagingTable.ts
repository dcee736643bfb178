import { batchMessageId } from '#events/scans/batches.ts'
import { type CheckedBlock, withBatch } from '#events/node/blocks/checkBlock.ts'
import { entryLimits } from '#events/scans/entryLimits.ts'
import { type BatchId, entryColumns } from '#events/scans/entryRow.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { createTable, dropTables } from '#server/platform/clickhouse/statements.ts'
import { kindOf, scanTableName, tablesOf } from './scanTables.ts'

const columns = entryColumns.map(([column, type]) => `\`${column}\` ${type}`).join(', ')

/**
 * Minimum number of parts in a merge. A table that is read twice and dropped gains little from merges; those for a
 * million rows took a sixth of the server's CPU time. Without any merges, reading would hold a block of each part.
 */
const partsToMerge = 64

/** More files than any folder has. */
const maxFiles = 1_000_000_000_000

/**
 * Rows are sorted by key, so that a commit reads them in order, with a partition for each attempt. Attempt 0 holds the
 * rows that a commit carries over. Message ids are kept for as many batches as a scan of 2 billion entries has. If a
 * row violates a constraint, its whole batch is refused. `hasKeys` is true for an object store, whose keys may have any text
 * between slashes. Files that are as in the scan `comparedWith` may be left out in the first attempt.
 */
export async function create(
  clickhouse: ClickHouse,
  scanId: number,
  { hasKeys = false, comparedWith }: { hasKeys?: boolean; comparedWith?: number | undefined } = {},
): Promise<void> {
  const definition = sql`${text(columns)},
      CONSTRAINT known_kind CHECK kind <= ${kindOf.gone}
        AND (kind = ${kindOf.entry} OR is_directory = (kind != ${kindOf.checkpoint})),
      CONSTRAINT fit_mark CHECK ${fitMark(comparedWith)},
      CONSTRAINT whole_checkpoint CHECK kind != ${kindOf.checkpoint}
        OR length(JSONExtract(parts, 'Array(String)')) = children,
      CONSTRAINT known_files CHECK files < ${text(String(maxFiles))},
      CONSTRAINT whole_move CHECK moved_to = '' OR (kind = ${kindOf.gone} AND startsWith(moved_to, '/')),
      CONSTRAINT empty_not_entered CHECK not_entered = '' OR (kind = ${kindOf.listed} AND children = 0 AND files = 0),
      CONSTRAINT whole_path CHECK if(parent_path = '', name = '' AND is_directory,
        startsWith(parent_path, '/') AND endsWith(parent_path, '/') AND position(name, '/') = 0),
      CONSTRAINT file_names CHECK ${hasKeys ? sql`1` : fileNames},
      CONSTRAINT bounded_texts CHECK ${boundedTexts},
      CONSTRAINT known_size CHECK size >= -1 AND allocated_size >= -1`
  const clauses = sql`PARTITION BY attempt ORDER BY (parent_path, name, is_directory, kind)
    SETTINGS non_replicated_deduplication_window = 100000, min_parts_to_merge_at_once = ${partsToMerge}`
  await clickhouse.command(createTable(tablesOf(scanId).staging, { columns: definition, clauses, ifNotExists: true }))
}

/**
 * Names of file systems, as `isFileName` has them. Paths with `..` would lead out of the storage wherever they are used.
 * A checkpoint has no name.
 */
const fileNames = sql`name NOT IN ('.', '..') AND (name != '' OR parent_path = '' OR kind = ${kindOf.checkpoint})
  AND NOT match(parent_path, '/[.]{0,2}/') AND NOT match(concat(moved_to, '/'), '/[.]{0,2}/')
  AND position(name, char(0)) = 0 AND position(parent_path, char(0)) = 0 AND position(moved_to, char(0)) = 0`

const bytes = (count: number): Sql => text(String(count))

/** Long texts make every answer with them fail. */
const boundedTexts = sql`length(name) <= ${bytes(entryLimits.name)} AND length(parent_path) <= ${bytes(entryLimits.path)}
  AND length(moved_to) <= ${bytes(entryLimits.path + entryLimits.name)} AND length(not_entered) <= ${bytes(entryLimits.path + entryLimits.name)}
  AND greatest(length(owner), length(\`group\`), length(storage_class), length(etag)) <= ${bytes(entryLimits.word)}
  AND length(link_target) <= ${bytes(entryLimits.linkTarget)} AND length(parts) <= ${bytes(entryLimits.parts)}
  AND length(metadata) <= ${bytes(entryLimits.metadataPairs)}
  AND arrayAll((key, value) -> length(key) <= ${bytes(entryLimits.metadataKey)}
    AND length(value) <= ${bytes(entryLimits.metadataValue)}, mapKeys(metadata), mapValues(metadata))`

/**
 * Marks of unchanged files must name the scan that this one is compared with, and have possible totals. Without a
 * compared scan no such marks are allowed.
 */
export const fitMark = (comparedWith: number | undefined): Sql => {
  const isMark = sql`kind >= ${kindOf.unchanged}`
  if (comparedWith === undefined) return sql`NOT (${isMark}) AND compared_scan = 0 AND NOT partial`
  return sql`if(${isMark}, compared_scan = ${text(String(Number(comparedWith)))} AND size >= 0 AND allocated_size >= 0
    AND (files > 0) = (kind = ${kindOf.unchanged}), compared_scan = 0)`
}

/** Inserts the rows of a batch, once in effect. */
export const insertBatch = (
  clickhouse: ClickHouse,
  scanId: number,
  id: BatchId,
  checked: CheckedBlock,
): Promise<void> =>
  clickhouse.insertBlock({
    table: scanTableName('staging', scanId),
    block: withBatch(checked, id),
    token: batchMessageId(scanId, id.attempt, id.batch),
  })

/** Drops the staging tables of a scan. May be repeated. */
export async function drop(clickhouse: ClickHouse, scanId: number): Promise<void> {
  const { staging, next, pending, half } = tablesOf(scanId)
  await clickhouse.command(dropTables([staging, next, pending, half]))
}
