import { below, isFolder } from '#server/entries/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { entriesAt } from '#server/snapshots/index.ts'
import type { Compared } from './comparedVolumes.ts'
import { begunBetween, endedBetween, isBefore } from './versions.ts'

type Sign = 1 | -1

/**
 * A row of a file counts for itself, one of a folder for the files directly in it that are not recorded one by one. Those of the
 * later date count for growth, those of the earlier against it; unknown sizes add nothing.
 */
export const weighed = (sign: Sign): Sql => sql`
  toInt64(${sign}) * if(is_directory, toInt64(unrecorded_files), 1) AS weight,
  toInt64(${sign}) * if(is_directory, toInt64(unrecorded_size), greatest(size, 0)) AS weighed`

/**
 * The rows in and below a folder, and its own, that one of the dates shows and the other does not: only they can make a
 * difference. Folders without unrecorded files are left out.
 */
export function oneSided(
  compared: Compared,
  folder: string,
  columns: (sign: Sign) => Sql,
  kind: 'all' | 'folders' = 'all',
): Sql {
  const { rescanned, came, left } = compared
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
