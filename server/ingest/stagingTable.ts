import { batchMessageId } from '#events/scans/batches.ts'
import { type CheckedBlock, withBatch } from '#events/scans/blocks/checkBlock.ts'
import { type BatchId, entryColumns } from '#events/scans/entryRow.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { kindOf, scanTableName, tablesOf } from './scanTables.ts'

const columns = entryColumns.map(([column, type]) => `\`${column}\` ${type}`).join(', ')

/**
 * Batches that the engine lets stand before it merges them. A table that is read twice and dropped gains nothing by fewer parts;
 * merging those of a million rows took a sixth of the server's processor time. Without any merging reading would hold a block of each.
 */
const partsToMerge = 64

/** More files than any folder has. */
const mostFiles = 1_000_000_000_000

/**
 * Rows lie in the order of their keys, so that a commit reads them as they stand, and in a partition for each attempt;
 * attempt 0 is what a commit carries over. Message ids are kept for as many batches as a scan of 2 thousand million
 * entries has. An agent's row that breaks the order of paths is refused with its whole batch.
 */
export async function create(clickhouse: ClickHouse, scanId: number): Promise<void> {
  await clickhouse.command(sql`
    CREATE TABLE IF NOT EXISTS ${tablesOf(scanId).staging} (${text(columns)},
      CONSTRAINT known_kind CHECK kind <= ${kindOf.gone}
        AND (kind = ${kindOf.entry} OR is_directory = (kind != ${kindOf.checkpoint})),
      CONSTRAINT fit_mark CHECK ${fitMark(undefined)},
      CONSTRAINT whole_checkpoint CHECK kind != ${kindOf.checkpoint}
        OR length(JSONExtract(parts, 'Array(String)')) = children,
      CONSTRAINT known_files CHECK files < ${text(String(mostFiles))},
      CONSTRAINT whole_move CHECK moved_to = '' OR (kind = ${kindOf.gone} AND startsWith(moved_to, '/')),
      CONSTRAINT whole_path CHECK if(parent_path = '', name = '' AND is_directory,
        startsWith(parent_path, '/') AND endsWith(parent_path, '/') AND position(name, '/') = 0),
      CONSTRAINT known_size CHECK size >= -1 AND allocated_size >= -1)
    ENGINE = MergeTree PARTITION BY attempt ORDER BY (parent_path, name, is_directory, kind)
    SETTINGS non_replicated_deduplication_window = 100000, min_parts_to_merge_at_once = ${partsToMerge}`)
}

/**
 * Marks of what is as in another scan mean the one that this scan is compared with, and their totals are possible. Without one there
 * are no such marks.
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

/** Removes all that staging holds of a scan; to be repeated at will. */
export async function drop(clickhouse: ClickHouse, scanId: number): Promise<void> {
  const { staging, next, pending, half } = tablesOf(scanId)
  for (const table of [staging, next, pending, half]) await clickhouse.command(sql`DROP TABLE IF EXISTS ${table} SYNC`)
}
