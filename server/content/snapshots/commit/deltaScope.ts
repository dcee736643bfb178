import { kindOf, tablesOf } from '#server/workers/ingest/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { foldersAbove } from '#server/platform/clickhouse/paths.ts'
import { type Commit, known } from './commit.ts'
import { recreateTable } from '#server/platform/clickhouse/largeTables.ts'

/*
 * The part of a storage that a delta may change: entries whose parent path is in the table `scope`. Only those are
 * staged and compared, so that the cost of a commit follows the number of changes. Folders next to them keep their
 * versions, and their known totals stand for all below them.
 */

/**
 * Entries without which totals can't be calculated: the size of a hard link depends on the others, and the totals of a
 * folder don't tell which of its files have no times or no rows, nor which of its folders were not entered. An index has the same condition, so
 * that a volume without such entries isn't read.
 */
const isIrregular = sql`(size = -1 OR unreadable OR not_entered != '' OR unrecorded_files > 0 OR (link_count > 1 AND NOT is_directory)) = 1`

/**
 * Records the parent paths of the scope: those of all entries that the delta names, at their old and new paths, the
 * contents of moved and replaced folders, folders with irregular entries, and all folders above these.
 */
export async function findScope(commit: Commit): Promise<void> {
  const { staging, scope, displaced } = tablesOf(commit.scan.id)
  const parentOf = (path: Sql) => sql`substring(${path}, 1, length(${path}) - position(reverse(${path}), '/') + 1)`
  await recreateTable(
    commit.clickhouse,
    scope,
    'folder',
    sql`
    SELECT '' AS folder
    UNION ALL
    ${foldersAbove(sql`
      SELECT DISTINCT toString(parent_path) AS path FROM ${staging} WHERE attempt > 0 AND kind != ${kindOf.checkpoint}
      UNION DISTINCT
      SELECT concat(parent_path, name, '/') FROM ${staging}
      WHERE attempt > 0 AND kind NOT IN (${kindOf.gone}, ${kindOf.checkpoint})
      UNION DISTINCT
      SELECT ${parentOf(sql`moved_to`)} FROM ${staging} WHERE moved_to != ''
      UNION DISTINCT
      SELECT arrayJoin([folder, target]) FROM ${displaced}
      UNION DISTINCT
      SELECT if(is_directory, concat(parent_path, name, '/'), parent_path) FROM ${known(commit)} AND ${isIrregular}`)}`,
  )
}

/** Condition: an entry is in the scope of a delta. */
export const isInScope = ({ scan }: Commit): Sql => sql`parent_path IN (SELECT folder FROM ${tablesOf(scan.id).scope})`

/**
 * Totals of the folders in the scope whose contents are not, as rows of `inFolders`. All of their files have times; a folder without files below
 * has the time of its own last change there, which is not one of its contents.
 */
export const totalsOutsideScope = (commit: Commit): Sql => sql`
  SELECT concat(parent_path, name, '/') AS path, size, allocated_size, files, folders, files,
    if(files > 0, toInt64(toUnixTimestamp(accessed_below)), 0), if(files > 0, toInt64(toUnixTimestamp(modified_below)), 0)
  FROM ${known(commit)} AND is_directory AND (files > 0 OR folders > 0) AND ${isInScope(commit)}
    AND path NOT IN (SELECT folder FROM ${tablesOf(commit.scan.id).scope})`
