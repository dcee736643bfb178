import { below, isFolder } from '#server/content/entries/conditions.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { apart, type ComparedSnapshots } from './comparedVolumes.ts'
import { begunBetween, endedBetween, isBefore } from './versions.ts'

type Sign = 1 | -1

/**
 * A file's row counts for itself, a folder's row for the files directly in it that have no rows of their own. Rows of
 * the later date count as growth, rows of the earlier one against it; unknown sizes add zero.
 */
export const weighed = (sign: Sign): Sql => sql`
  toInt64(${sign}) * if(is_directory, toInt64(unrecorded_files), 1) AS weight,
  toInt64(${sign}) * if(is_directory, toInt64(unrecorded_size), greatest(size, 0)) AS weighed`

/**
 * The rows of a folder and below it that are in only one of the two dates: only these can make a difference. Folders
 * without unrecorded files are left out.
 */
export function oneSided(
  compared: ComparedSnapshots,
  folder: string,
  columns: (sign: Sign) => Sql,
  kind: 'all' | 'folders' = 'all',
): Sql {
  const { rescanned, came, left } = apart(compared)
  const where = sql`((${below(folder)} OR ${isFolder(folder)}) AND ${counts[kind]})`
  return sql`
    ${begunBetween(rescanned, columns(1), where)}
    UNION ALL
    SELECT ${columns(-1)} FROM entry_history WHERE ${endedBetween(rescanned)} AND ${isBefore(rescanned)} AND ${where}
    UNION ALL
    SELECT ${columns(1)} FROM ${entriesAt(came)} WHERE ${where}
    UNION ALL
    SELECT ${columns(-1)} FROM ${entriesAt(left)} WHERE ${where}`
}

const counts = {
  all: sql`(NOT is_directory OR unrecorded_files > 0)`,
  folders: sql`(is_directory AND unrecorded_files > 0)`,
}
