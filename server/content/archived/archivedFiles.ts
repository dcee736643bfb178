import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { endedWithin, perVolume } from '#server/content/snapshots/reading/perVolume.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { tablesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import {
  type ArchiveIndex,
  archiveIndexes,
  comparedVolumes,
  type MappedFolder,
  mappedFolders,
  type Scope,
  targetsOf,
} from './mappedFolders.ts'

/** Versions of files in archive indexes are read from here: all of them, or those in parts of the indexes. */
type Part = ArchiveIndex & { parts?: readonly string[] }

const columns = sql`volume, parent_path, name, size, modified, backup_date`

/**
 * Files of indexes on a date, with each known version: the current one, and those that earlier scans saw and that were
 * changed but not removed since. An index keeps the versions of a file until the file is removed from it.
 */
export function versionsIn(snapshot: Snapshot, parts: readonly Part[], condition: Sql = sql`1`): Sql {
  const volumes = parts.map(({ index }) => index)
  const current = tablesAt({ ...snapshot, volumes }).map(
    ({ from, where }) => sql`SELECT ${columns} FROM ${from} WHERE ${where} AND NOT is_directory AND ${condition}`,
  )
  const earlier = sql`
    SELECT ${columns} FROM (
      SELECT ${columns}, to_scan, ended,
        max(if(ended = 'changed', 0, to_scan)) OVER (PARTITION BY volume, parent_path, name) AS removed
      FROM entry_history WHERE ${endedWithin(volumes, noScan, ({ scanId }) => scanId)} AND NOT is_directory AND ${condition})
    WHERE ended = 'changed' AND to_scan > removed`
  return sql`(${join([...current, earlier], ' UNION ALL ')})`
}
const noScan = () => 0

/** With more parts, the indexes are read as a whole: planning would take longer. */
const maxParts = 50

/**
 * Versions at the mapped places of files, with `index_folder`, `name` and `index_name`. Undefined if no file in the
 * scopes, all files by default, can have one.
 */
export function archivedFiles(snapshot: Snapshot, scopes?: readonly Scope[]): Sql | undefined {
  const all = comparedVolumes(snapshot).map(({ volumeId }) => ({ volumeId, folder: '/' }))
  const targets = targetsOf(mappedFolders(snapshot), scopes ?? all)
  const parts = archiveIndexes(snapshot).flatMap((index) => partsOf(index, targets))
  if (parts.length === 0) return undefined
  const indexes = parts.map(({ index, folder }) => ({ ...index, folder }))
  return sql`(
    SELECT concat(${textOf(indexes, ({ folder }) => folder)}, substring(parent_path, 2)) AS index_folder, name, size, modified, backup_date,
      ${textOf(indexes, ({ name }) => name)} AS index_name
    FROM ${versionsIn(snapshot, parts, inParts(parts))})`
}

/** The folders of an index that are below one of the targets; all of the index if it is below one itself. */
function partsOf({ index, folder }: ArchiveIndex, targets: readonly string[]): Part[] {
  if (targets.some((target) => folder.startsWith(target))) return [{ index, folder, parts: ['/'] }]
  const below = targets.filter((target) => target.startsWith(folder))
  return below.length === 0 ? [] : [{ index, folder, parts: below.map((target) => target.slice(folder.length - 1)) }]
}

function inParts(parts: readonly Part[]): Sql {
  const each = parts.flatMap(({ index, parts = ['/'] }) => parts.map((part) => ({ volumeId: index.volumeId, part })))
  if (each.length > maxParts || each.every(({ part }) => part === '/')) return sql`1`
  const isIn = each.map(({ volumeId, part }) => sql`(volume = ${volumeId} AND startsWith(parent_path, ${part}))`)
  return sql`(${join(isIn, ' OR ')})`
}

/** A text per volume, for rows of these volumes only. If all are equal, there is no lookup, a quarter of the time. */
function textOf<Volume extends { volumeId: number }>(
  volumes: readonly Volume[],
  valueOf: (volume: Volume) => string,
): Sql {
  const [first, ...others] = new Set(volumes.map(valueOf))
  return first !== undefined && others.length === 0 ? sql`${first}` : perVolume(volumes, valueOf, '')
}

/** The folder in the indexes for the `volume` and `parent_path` of a row of a compared storage. */
export function indexFolder(mapped: readonly MappedFolder[]): Sql {
  const roots = mapped.filter(({ folder }) => folder === '/')
  const deeper = mapped.filter(({ folder }) => folder !== '/')
  const rootTarget = textOf(roots, ({ target }) => target)
  if (deeper.length === 0) return sql`concat(${rootTarget}, substring(parent_path, 2))`
  const choose = (valueOf: (one: MappedFolder) => Sql, other: Sql) =>
    sql`multiIf(${join(
      deeper.flatMap((one) => [sql`volume = ${one.volumeId} AND startsWith(parent_path, ${one.folder})`, valueOf(one)]),
      ', ',
    )}, ${other})`
  const target = choose(({ target }) => sql`${target}`, rootTarget)
  const start = choose(({ folder }) => sql`${Buffer.byteLength(folder) + 1}`, sql`2`)
  return sql`concat(${target}, substring(parent_path, ${start}))`
}
