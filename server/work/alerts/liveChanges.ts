import { sql, type Sql, text } from '#server/platform/clickhouse/sql.ts'
import type { Stores } from '#server/platform/platform.ts'
import { snapshotOrEmpty } from '#server/content/snapshots/reading/snapshotAt.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import type { FolderChanges, MassChange } from './massChange.ts'

/** Milliseconds in which the files of a mass change change. */
export const massWindowMs = 5 * 60_000

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Folders that are read, those with the most changes. */
const maxFolders = 50_000

const millis = (at: Date | number): Sql => sql`fromUnixTimestamp64Milli(${at.valueOf()}, 'UTC')`
const changes = text('deleted + renamed + rewritten')

/** Returns the storages in which at least `limit` files changed within the window before a time: those to look at closely. */
export async function busyVolumes(
  { clickhouse }: Stores,
  volumeIds: readonly number[],
  limit: number,
  at: Date,
): Promise<number[]> {
  const rows = await clickhouse.rows<{ volume: number }>(sql`
    SELECT volume FROM live_changes WHERE volume IN ${volumeIds} AND at > ${millis(at.getTime() - massWindowMs)}
    GROUP BY volume HAVING greatest(sum(deleted), sum(renamed), sum(rewritten)) >= ${limit}`)
  return rows.map(({ volume }) => volume)
}

/** Returns whether fewer than `limit` files changed in a folder since a time. `path` is relative to the storage. */
export async function isQuietSince(
  { clickhouse }: Stores,
  { volumeId, path }: { volumeId: number; path: string },
  limit: number,
  since: Date,
): Promise<boolean> {
  const { files } = await clickhouse.one<{ files: number }>(sql`
    SELECT toFloat64(sum(${changes})) AS files FROM live_changes
    WHERE volume = ${volumeId} AND at > ${millis(since)} AND startsWith(parent_path, ${folderOf(path)})`)
  return files < limit
}

/** Reads the changes of a storage since a time, by folder and owner. `startedAt` is the start of its newest committed scan. */
export async function changesSince(
  { db, clickhouse }: Stores,
  { id: volumeId, startedAt }: { id: number; startedAt: Date | null },
  since: Date,
): Promise<FolderChanges[]> {
  const snapshot = await snapshotOrEmpty(db, 'everything')
  const volumes = snapshot.volumes.filter((volume) => volume.volumeId === volumeId)
  const inPeriod = sql`volume = ${volumeId} AND at > ${millis(since)}`
  const changed = sql`SELECT parent_path FROM live_changes WHERE ${inPeriod} AND ${changes} > 0`
  return clickhouse.rows<FolderChanges>(sql`
    SELECT parent_path AS path, owner, toFloat64(sum(rows.created)) AS created, toFloat64(sum(rows.deleted)) AS deleted,
      toFloat64(sum(rows.renamed)) AS renamed, toFloat64(sum(rows.rewritten)) AS rewritten,
      toFloat64(any(scanned.files) + any(older.files)) AS known,
      toFloat64(toUnixTimestamp64Milli(min(at))) AS first, toFloat64(toUnixTimestamp64Milli(max(at))) AS last
    FROM live_changes AS rows
    LEFT JOIN (
      SELECT parent_path, count() AS files FROM ${entriesAt({ ...snapshot, volumes })}
      WHERE NOT is_directory AND parent_path IN (${changed}) GROUP BY parent_path
    ) AS scanned USING parent_path
    LEFT JOIN (
      SELECT parent_path, sum(created) AS files FROM live_changes
      WHERE volume = ${volumeId} AND at > ${millis(startedAt ?? 0)} AND at < ${millis(since.getTime() - dayMs)}
        AND parent_path IN (${changed}) GROUP BY parent_path
    ) AS older USING parent_path
    WHERE ${inPeriod}
    GROUP BY parent_path, owner ORDER BY ${changes} DESC LIMIT ${maxFolders}`)
}

/**
 * Returns whether about as many files of the same owner changed in the same way and folder about one or two days before, as in a nightly
 * rotation of backups. Digits in paths don't matter: `daily.7`, `2026-11-30`.
 */
export async function isUsual(
  { clickhouse }: Stores,
  volumeId: number,
  { kind, files, path, owner }: MassChange,
  at: Date,
): Promise<boolean> {
  const about = (days: number) =>
    sql`at BETWEEN ${millis(at.getTime() - days * dayMs - hourMs)} AND ${millis(at.getTime() - days * dayMs + hourMs)}`
  const { most } = await clickhouse.one<{ most: number }>(sql`
    SELECT toFloat64(max(files)) AS most FROM (
      SELECT sum(${text(kind)}) AS files FROM live_changes
      WHERE volume = ${volumeId} AND owner = ${owner} AND ${text(kind)} > 0 AND (${about(1)} OR ${about(2)})
        AND startsWith(replaceRegexpAll(parent_path, '\\d+', '0'), ${folderOf(path).replaceAll(/\d+/g, '0')})
      GROUP BY toStartOfInterval(at, INTERVAL 5 MINUTE))`)
  return 2 * most >= files
}

/** In the form of `parent_path`. */
const folderOf = (path: string): string => (path === '/' ? path : `${path}/`)
