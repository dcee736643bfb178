import { tablesOf } from '#server/workers/ingest/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { type Commit } from './commit.ts'
import { dropTable } from '#server/platform/clickhouse/statements.ts'
import { recreateTable } from '#server/platform/clickhouse/largeTables.ts'
import type { Difference } from './compareVersions.ts'

/**
 * Pairs moved or renamed entries: one vanished and one appeared with the same inode, size and modified time. An inode
 * alone proves nothing, since a freed one is reused at once. Several equal candidates are paired in order.
 */
export async function findMoves({ clickhouse, scan }: Commit, difference: Difference): Promise<void> {
  const { changes, moves } = tablesOf(scan.id)
  if (!arePossible(difference)) return clickhouse.command(dropTable(moves))
  await recreateTable(clickhouse, moves, '(parent_path, name, is_directory)', pairs(changes))
}

const arePossible = ({ ended, appeared }: Difference): boolean => ended > 0 && appeared > 0

/** The pairs that `findMoves` found, for use in a FROM. */
export const foundMoves = ({ scan }: Commit, difference: Difference): Sql =>
  arePossible(difference) ? tablesOf(scan.id).moves : noPairs

const noPairs = sql`(
  SELECT '' AS parent_path, '' AS name, false AS is_directory, '' AS from_parent_path, '' AS from_name WHERE 0)`

const pairs = (changes: Sql) => sql`
    SELECT came.parent_path AS parent_path, came.name AS name, is_directory,
      gone.parent_path AS from_parent_path, gone.name AS from_name
    FROM (
      SELECT parent_path, name, is_directory, o_inode AS inode, o_size AS size, o_modified AS modified, row_number()
        OVER (PARTITION BY o_inode, o_size, o_modified, is_directory ORDER BY parent_path, name) AS turn
      FROM ${changes}
      WHERE NOT n_here AND o_inode != 0 AND o_size >= 0
    ) AS gone
    INNER JOIN (
      SELECT parent_path, name, is_directory, n_inode AS inode, n_size AS size, n_modified AS modified, row_number()
        OVER (PARTITION BY n_inode, n_size, n_modified, is_directory ORDER BY parent_path, name) AS turn
      FROM ${changes}
      WHERE NOT o_here AND n_inode != 0 AND n_size >= 0
    ) AS came USING (is_directory, inode, size, modified, turn)`
