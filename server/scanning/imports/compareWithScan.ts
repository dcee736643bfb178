import type { ImportSummary } from '#events/imports/imports.ts'
import { kindOf, tablesOf } from '#server/workers/ingest/index.ts'
import { isInAny } from '#server/platform/clickhouse/paths.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Stores } from '#server/platform/platform.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { emptySnapshot } from '#server/content/snapshots/reading/snapshotAt.ts'

type Comparison = NonNullable<ImportSummary['comparison']>
type Difference = Comparison['differences'][number]

/** Largest unit to which tools round sizes. */
const maxUnit = 1_048_576

/**
 * Explains why the files of an import have other bytes than the newest scan of the storage, file by file; null without a scan. What no file explains is
 * `unexplained`, such as files that the scan counts without listing them.
 */
export async function compareWithScan(
  { db, clickhouse }: Stores,
  { id, volumeId, files, bytes }: { id: number; volumeId: number; files: Sql; bytes: number },
): Promise<Comparison | null> {
  const scan = await db
    .selectFrom('volumes')
    .innerJoin('scans', 'scans.id', 'committedScan')
    .select(['scans.id', 'indexingDate', 'files', 'folders', 'bytes', 'allocatedBytes', 'generation', 'layers'])
    .where('volumes.id', '=', volumeId)
    .executeTakeFirst()
  if (!scan) return null
  const { generation, layers, indexingDate: scannedOn, ...sums } = scan
  const state = { volumeId, generation: generation ?? 0, layers, scanId: scan.id, committedScan: scan.id }
  const shown = entriesAt({ ...emptySnapshot, volumes: [{ ...state, name: '', type: '', root: '', scannedOn }] })
  const differences = await clickhouse.rows<Difference>(
    sql`
    SELECT ${reason(id)} AS reason, toFloat64(count()) AS files, toFloat64(sum(toInt128(counted - other_counted))) AS bytes
    FROM (
      SELECT parent_path, name, max(is_import) AS is_here, min(is_import) = 0 AS is_there,
        sumIf(bytes, is_import) AS size, sumIf(bytes - again, is_import) AS counted, sumIf(bytes, NOT is_import) AS other_size,
        sumIf(bytes - again, NOT is_import) AS other_counted, sumIf(on_disk, NOT is_import) AS other_on_disk
      FROM (
        SELECT parent_path, name, true AS is_import, greatest(size, 0) AS bytes, repeated_size AS again, toInt64(0) AS on_disk FROM ${files}
        UNION ALL
        SELECT parent_path, name, false, greatest(size, 0), size - counted_size, allocated_size FROM ${shown}
        WHERE volume = ${volumeId} AND NOT is_directory)
      GROUP BY parent_path, name)
    WHERE NOT is_here OR NOT is_there OR counted != other_counted
    GROUP BY reason ORDER BY abs(bytes) DESC
    SETTINGS max_bytes_before_external_group_by = 268435456`,
    { heavy: true, seconds: 3_600 },
  )
  const total = bytes - sums.bytes
  const rest = total - differences.reduce((sum, one) => sum + one.bytes, 0)
  const unexplained: Difference[] = rest === 0 ? [] : [{ reason: 'unexplained', files: 0, bytes: rest }]
  return {
    scannedOn,
    scan: { files: sums.files, folders: sums.folders, bytes: sums.bytes, allocatedBytes: sums.allocatedBytes },
    total,
    differences: [...differences, ...unexplained],
  }
}

function reason(id: number): Sql {
  const { staging } = tablesOf(id)
  const folders = (condition: Sql) =>
    sql`SELECT concat(parent_path, name, '/') AS folder FROM ${staging} WHERE is_directory AND ${condition}`
  return sql`multiIf(
    NOT is_there, 'onlyHere',
    NOT is_here AND ${isInAny(sql`parent_path`, folders(sql`not_entered != ''`))}, 'excluded',
    NOT is_here AND ${isInAny(sql`parent_path`, folders(sql`kind = ${kindOf.unreadable}`))}, 'unreadable',
    NOT is_here, 'onlyThere',
    size = other_size, 'hardLinks',
    size = other_on_disk, 'apparentSize',
    abs(size - other_size) < ${maxUnit} AND (size % 1000 = 0 OR size % 1024 = 0) AND abs(size - other_size) < greatest(size, other_size) / 2, 'units',
    'changed')`
}
