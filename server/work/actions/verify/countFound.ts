import type { FoundFiles, FoundInStorage } from '#events/jobs/taskResults.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { type PlacedFolder, spotsOf } from '../kit/places.ts'
import { type FilesOfTask, doneFiles } from '../kit/files.ts'

/** Seconds by which the times of a file and of its copy may differ: FAT keeps two of them. */
const timeTolerance = 2

const isSameTime = sql`abs(toInt64(toUnixTimestamp(found.modified)) - toInt64(toUnixTimestamp(wanted.modified))) <= ${timeTolerance}`

/** Wanted entries with `key`, `size` and `modified`, as found in a snapshot: whether they are there, and are the same. */
const lookedUp = (snapshot: Snapshot, wanted: Sql, keepsTimes = true): Sql => sql`
  SELECT key, max(known) AS is_found, max(known AND found.size = wanted.size AND ${keepsTimes ? isSameTime : sql`1`}) AS is_same
  FROM (${wanted}) AS wanted
  LEFT JOIN (
    SELECT volume, parent_path, name, size, modified, true AS known FROM ${entriesAt(snapshot)}
    WHERE NOT is_directory AND (volume, parent_path) IN (SELECT volume, parent_path FROM (${wanted}))) AS found
    ON found.volume = wanted.volume AND found.parent_path = wanted.parent_path AND found.name = wanted.name
  GROUP BY key`

/** Counts the files that a task is done with in the storages they were selected from, of those with these numbers. */
export async function countInStorages(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  task: FilesOfTask,
  volumeIds: readonly number[],
  only?: Sql,
): Promise<FoundInStorage[]> {
  if (volumeIds.length === 0) return []
  const wanted = sql`
    SELECT (volume, position, size) AS key, volume, parent_path, name, size, modified FROM (${doneFiles(task, only)})
    WHERE volume IN ${typed(volumeIds, 'Array(UInt32)')}`
  return clickhouse.rows<FoundInStorage>(
    sql`
      SELECT key.1 AS volumeId, countIf(is_same) AS there, countIf(is_found AND NOT is_same) AS changed,
        countIf(NOT is_found) AS gone, sumIf(toFloat64(greatest(key.3, 0)), NOT is_found) AS goneBytes
      FROM (${lookedUp(snapshot, wanted)}) GROUP BY volumeId ORDER BY volumeId`,
    { heavy: true },
  )
}

/** Counts the files that a task is done with at their places in target folders; null if no place is in one of them. Without times, sizes decide. */
export async function countAtTarget(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  task: FilesOfTask,
  { folders, keepsTimes }: { folders: readonly PlacedFolder[]; keepsTimes: boolean },
): Promise<FoundFiles['target']> {
  if (folders.length === 0) return null
  const wanted = sql`
    SELECT position AS key, size, modified, spot.1 AS volume, spot.2 AS path,
      substring(path, 1, length(path) - position(reverse(path), '/') + 1) AS parent_path, substring(path, length(parent_path) + 1) AS name
    FROM (SELECT position, size, modified, arrayJoin(${spotsOf(folders)}) AS spot FROM (${doneFiles(task)}))`
  const { files, arrived, found } = await clickhouse.one<{ files: number; arrived: number; found: number }>(
    sql`SELECT count() AS files, countIf(is_same) AS arrived, countIf(is_found) AS found FROM (${lookedUp(snapshot, wanted, keepsTimes)})`,
    { heavy: true },
  )
  return files === 0 ? null : { arrived, changed: found - arrived, missing: files - found }
}
