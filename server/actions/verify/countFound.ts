import type { FoundFiles } from '#events/jobs/taskResults.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { join, sql } from '#server/platform/clickhouse/sql.ts'
import { entriesAt } from '#server/snapshots/reading/entriesAt.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import type { FilesOfTask } from '../run/files.ts'

/** An archive index: its volume, and the folder of the whole index that it begins at, `/` or `/a/b/`. */
export type ScannedIndex = { volumeId: number; folder: string }

type Counts = { arrived: number; inIndex: number; there: number; inStorage: number; done: number; gone: number }

/**
 * Compares the files that a task is done with to a snapshot: by path, size and modified time to the second, in their storage and at their
 * places in archive indexes. `at` is ISO 8601 in UTC.
 */
export async function countFound(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  { selection, part }: FilesOfTask,
  { indexes, at }: { indexes: readonly ScannedIndex[] | null; at: string },
): Promise<FoundFiles> {
  const here = sql`SELECT volume, parent_path, name, size, modified FROM ${entriesAt(snapshot)} WHERE NOT is_directory`
  const places = (indexes ?? []).map(
    ({ volumeId, folder }) => sql`
      SELECT concat(${folder}, substring(concat(parent_path, name), 2)) AS place, size, modified
      FROM ${entriesAt(only(snapshot, volumeId))} WHERE NOT is_directory`,
  )
  const archived =
    places.length === 0 ? sql`SELECT '' AS place, 0 AS size, now() AS modified WHERE 0` : join(places, ' UNION ALL ')
  const counts = await clickhouse.one<Counts & { goneBytes: number }>(
    sql`
      WITH files AS (
        SELECT volume, parent_path, name, size, modified, place FROM selected_entries
        WHERE selection = ${selection} AND part = ${part} AND left_out = '' AND position IN (
          SELECT position FROM acted_files FINAL WHERE selection = ${selection} AND state = 'done'))
      SELECT count() AS done, countIf(in_storage) AS inStorage, countIf(is_there) AS there, countIf(NOT in_storage) AS gone,
        sumIf(greatest(size, 0), NOT in_storage) AS goneBytes, countIf(in_index) AS inIndex, countIf(has_arrived) AS arrived
      FROM (
        SELECT size, (volume, parent_path, name) IN (SELECT volume, parent_path, name FROM (${here})) AS in_storage,
          (volume, parent_path, name, size, modified) IN (${here}) AS is_there,
          place IN (SELECT place FROM (${archived})) AS in_index,
          (place, size, modified) IN (SELECT place, size, modified FROM (${archived})) AS has_arrived
        FROM files)`,
    { heavy: true },
  )
  const { done, inStorage, there, gone, goneBytes, inIndex, arrived } = counts
  return {
    at,
    index: indexes && { arrived, changed: inIndex - arrived, missing: done - inIndex },
    storage: { there, changed: inStorage - there, gone, goneBytes },
  }
}

const only = (snapshot: Snapshot, volumeId: number): Snapshot => ({
  ...snapshot,
  volumes: snapshot.volumes.filter((volume) => volume.volumeId === volumeId),
})
