import { hiddenTagPrefix } from '#events/tags.ts'
import { inOrder, validOn } from '#server/entries/index.ts'
import { join, type Sql, sql } from '#server/platform/sql.ts'
import type { Snapshot } from '#server/snapshots/index.ts'
import type { Listed } from './foremost.ts'

/** These cells of the first entries of a list that meet a condition, with settings of their format. */
export function exportQuestion(
  { meant: { snapshot, from, where }, sort, direction }: Listed,
  { cells, settings = [] }: { cells: Sql[]; settings?: Sql[] },
  { among, most }: { among: Sql; most: number },
): Sql {
  return sql`
    SELECT ${join(cells, ', ')}
    FROM (SELECT * FROM ${from} WHERE ${among} AND ${where}) AS entries
    LEFT ANY JOIN ${shownTags(snapshot)} AS tagged USING (file_id)
    ORDER BY ${inOrder(sort, direction)} LIMIT ${most}
    SETTINGS asterisk_include_alias_columns = 1, ${join([...settings, littleMemory], ', ')}`
}

/**
 * Rows are many columns wide: blocks of the usual length would hold twice the memory. Where a million rows share the sort key
 * of the last one, far more are sorted than are shown, on disk.
 */
const littleMemory = sql`max_block_size = 8192, max_bytes_before_external_sort = 400000000`

/** The tags that users see of each entry that has any. */
const shownTags = ({ volumes, indexingDate }: Snapshot): Sql => sql`(
  SELECT file_id, arrayStringConcat(arraySort(groupUniqArray(tag)), ', ') AS tags FROM entry_tags FINAL
  WHERE volume IN ${volumes.map(({ volumeId }) => volumeId)} AND ${validOn(indexingDate)}
    AND NOT startsWith(tag, ${hiddenTagPrefix})
  GROUP BY file_id)`
