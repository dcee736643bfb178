import type { Stores } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { Row } from './expectedRows.ts'

/** All entries of a volume on a date as returned by queries to a caller with this scope, by their keys. */
export async function readRows(
  { db, clickhouse }: Stores,
  volumeId: number,
  date: string,
  scope: Scope = 'everything',
): Promise<Map<string, Row>> {
  const snapshot = await snapshotAt(db, scope, date)
  if (!snapshot) return new Map()
  const rows = await clickhouse.rows<Row>(sql`
    SELECT from_scan AS fromScan, previous_path AS previousPath, parent_path AS parentPath, name,
      is_directory AS isDirectory, extension, depth, size, allocated_size AS allocatedSize,
      counted_size AS countedSize, link_count AS linkCount, inode, owner, \`group\`, mode, link_target AS linkTarget,
      toUnixTimestamp(created) AS created, toUnixTimestamp(modified) AS modified,
      toUnixTimestamp(accessed) AS accessed, files, folders, toUnixTimestamp(last_access) AS lastAccess,
      toUnixTimestamp(last_modified) AS lastModified, toUnixTimestamp(backup_date) AS backedUp, unreadable
    FROM ${entriesAt(snapshot)} WHERE volume = ${volumeId}
    ORDER BY parent_path, name, is_directory`)
  const byKey = new Map(rows.map((row) => [JSON.stringify([row.parentPath, row.name, row.isDirectory]), row]))
  if (byKey.size !== rows.length) throw new Error(`${rows.length - byKey.size} entries are there twice`)
  return byKey
}
