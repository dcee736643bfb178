import { childrenOf } from '#server/content/entries/conditions.ts'
import { folderOf, nameOf } from '#server/content/entries/places.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { isInPartitions, type ReadGenerations } from '#server/content/snapshots/reading/entriesAt.ts'

/**
 * The folder to which most of a vanished folder's contents moved in the same scan, each entry at its place below it. A
 * folder that changed between two scans isn't recognized itself, but what is in it is. Undefined if less than half moved
 * to one folder, or if that one existed before: then the contents were
 * merged into another folder.
 */
export async function homeOfContents(
  clickhouse: ClickHouse,
  volume: ReadGenerations,
  { path, toScan }: { path: string; toScan: number },
): Promise<string | undefined> {
  const below = childrenOf(path)
  const rows = await clickhouse.rows<{ home: string; entries: number }>(
    sql`
    SELECT if(ended = 'moved' AND endsWith(moved_to, inside), substring(moved_to, 1, length(moved_to) - length(inside)), '') AS home,
      toFloat64(count()) AS entries
    FROM (
      SELECT ended, moved_to, substring(concat(parent_path, name), ${Buffer.byteLength(below)}) AS inside
      FROM entry_history
      WHERE volume = ${volume.volumeId} AND startsWith(parent_path, ${below}) AND to_scan = ${toScan} AND ended IN ('moved', 'deleted'))
    GROUP BY home ORDER BY entries DESC`,
    { heavy: true, seconds: 600 },
  )
  const total = rows.reduce((sum, { entries }) => sum + entries, 0)
  const best = rows.find(({ home }) => home !== '')
  if (!best || best.entries * 2 < total) return undefined
  return (await isNewFolder(clickhouse, volume, { path, toScan }, best.home)) ? best.home : undefined
}

/**
 * Returns whether a folder appeared with the scan that no longer found another one: nothing was at its path before, or
 * it is that other folder, by its inode, and replaced the one that was.
 */
async function isNewFolder(
  clickhouse: ClickHouse,
  volume: ReadGenerations,
  { path, toScan }: { path: string; toScan: number },
  home: string,
): Promise<boolean> {
  const at = (place: string) =>
    sql`volume = ${volume.volumeId} AND parent_path = ${folderOf(place)} AND name = ${nameOf(place)} AND is_directory`
  const newest = sql`entries WHERE ${isInPartitions([volume])}`
  const since = sql`${at(home)} AND from_scan = ${toScan}`
  const before = sql`${at(home)} AND from_scan < ${toScan}`
  const [row] = await clickhouse.rows<{ isSame: boolean; existed: boolean }>(
    sql`
    SELECT (SELECT any(inode) FROM entry_history WHERE ${at(path)} AND to_scan = ${toScan}) AS gone,
      gone != 0 AND gone IN (SELECT inode FROM ${newest} AND ${since} UNION ALL SELECT inode FROM entry_history WHERE ${since}) AS isSame,
      (SELECT count() FROM ${newest} AND ${before}) + (SELECT count() FROM entry_history WHERE ${before} AND to_scan >= ${toScan}) > 0 AS existed`,
    { quick: true },
  )
  return row !== undefined && (Boolean(row.isSame) || !row.existed)
}
