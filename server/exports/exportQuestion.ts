import { hiddenTagPrefix } from '#events/tags.ts'
import { inOrder, validOn } from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { join, type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/snapshots/index.ts'
import type { Listed } from './foremost.ts'

/** These cells of the entries of a list that are among its first ones, with settings of their format. */
export function exportQuestion(
  { meant: { snapshot, from }, sort, direction }: Listed,
  { cells, settings = [] }: { cells: Sql[]; settings?: Sql[] },
  { among, most, isTagged }: { among: Sql; most: number; isTagged: boolean },
): Sql {
  const found = (columns: string) => sql`(SELECT ${text(columns)} FROM ${from} WHERE ${among}) AS entries`
  const rows = isTagged
    ? sql`${found('*')} LEFT ANY JOIN ${shownTags(snapshot)} AS tagged USING (file_id)`
    : found("*, '' AS tags")
  return sql`
    SELECT ${join(cells, ', ')} FROM ${rows}
    ORDER BY ${inOrder(sort, direction)} LIMIT ${most}
    SETTINGS asterisk_include_alias_columns = 1, ${join([...settings, littleMemory], ', ')}`
}

/**
 * Rows are many columns wide: blocks of the usual length would hold twice the memory. Where a million rows share the sort key
 * of the last one, far more are sorted than are shown, on disk.
 */
const littleMemory = sql`max_block_size = 8192, max_bytes_before_external_sort = 400000000`

/** The tags that users see of each entry that has any. */
const shownTags = (snapshot: Snapshot): Sql => sql`(
  SELECT file_id, arrayStringConcat(arraySort(groupUniqArray(tag)), ', ') AS tags FROM entry_tags FINAL
  WHERE ${isShown(snapshot)} GROUP BY file_id)`

/** Whether users see a tag on any entry: where they do not, a million rows come in four fifths of the time. */
export async function hasTags(clickhouse: ClickHouse, snapshot: Snapshot): Promise<boolean> {
  const rows = await clickhouse.rows(sql`SELECT 1 FROM entry_tags WHERE ${isShown(snapshot)} LIMIT 1`, { quick: true })
  return rows.length > 0
}

const isShown = ({ volumes, indexingDate }: Snapshot): Sql => sql`
  volume IN ${volumes.map(({ volumeId }) => volumeId)} AND ${validOn(indexingDate)} AND NOT startsWith(tag, ${hiddenTagPrefix})`
