import { archiveKey, noVersions, versionsByKey } from '#server/content/archived/index.ts'
import { factsByKey, keyColumn } from '#server/content/media/facts.ts'
import { inOrder, sortable } from '#server/content/entries/order.ts'
import { isSeenIn } from '#server/content/entries/tagsAt.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import type { DownloadList } from './topRows.ts'

type QuestionOptions = { among: Sql; maxRows: number; isTagged: boolean; isOfFiles: boolean; hasMedia?: boolean }

/** The given cells of the first entries of a list, with settings for their format. */
export function exportQuestion(
  { selection: { snapshot, from, volumes = snapshot.volumes }, sort, direction }: DownloadList,
  { cells, settings = [] }: { cells: Sql[]; settings?: Sql[] },
  { among, maxRows, isTagged, isOfFiles, hasMedia = false }: QuestionOptions,
): Sql {
  const rowsOf = sql`FROM ${sortable(from, sort)} WHERE ${among}`
  const versions = isOfFiles ? versionsByKey(snapshot, sql`SELECT ${archiveKey(snapshot)} ${rowsOf}`) : undefined
  const columns = [
    sql`*`,
    ...(isTagged ? [] : [sql`'' AS tags`]),
    versions ? sql`${archiveKey(snapshot)} AS archive_key` : noVersions,
    ...(hasMedia ? [keyColumn] : []),
  ]
  const rows = sql`
    (SELECT ${join(columns, ', ')} ${rowsOf}) AS entries
    ${isTagged ? sql`LEFT ANY JOIN ${shownTags(snapshot)} AS tagged USING (file_id)` : sql``}
    ${versions ? sql`LEFT ANY JOIN ${versions} AS archives USING (archive_key)` : sql``}
    ${hasMedia ? sql`LEFT ANY JOIN ${factsByKey(rowsOf, volumes)} AS facts USING (volume, media_key)` : sql``}`
  return sql`
    SELECT ${join(cells, ', ')} FROM ${rows}
    ORDER BY ${inOrder(sort, direction)} LIMIT ${maxRows}
    SETTINGS asterisk_include_alias_columns = 1, ${join([...settings, littleMemory], ', ')}`
}

/**
 * Rows have many columns: blocks of the default size would take twice the memory. If a million rows share the sort key
 * of the last one, far more rows are sorted than shown, on disk.
 */
const littleMemory = sql`max_block_size = 8192, max_bytes_before_external_sort = 400000000`

/** The visible tags of each entry that has any. */
const shownTags = (snapshot: Snapshot): Sql => sql`(
  SELECT file_id, arrayStringConcat(arraySort(groupUniqArray(tag)), ', ') AS tags FROM entry_tags FINAL
  WHERE ${isSeenIn(snapshot)} GROUP BY file_id)`

/** Returns whether any entry has a visible tag: without tags, a million rows take four fifths of the time. */
export async function hasTags(clickhouse: ClickHouse, snapshot: Snapshot): Promise<boolean> {
  const rows = await clickhouse.rows(sql`SELECT 1 FROM entry_tags WHERE ${isSeenIn(snapshot)} LIMIT 1`, { quick: true })
  return rows.length > 0
}
