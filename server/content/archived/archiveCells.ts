import { archiveStateTitles } from '#events/search/archived.ts'
import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { archivedFiles, indexFolder } from './archivedFiles.ts'
import { isCompared } from './archivedIn.ts'
import { mappedFolders } from './mappedFolders.ts'

/** The mapped place of a file, by which rows are joined with their versions in archive indexes; 0 for other rows. */
export const archiveKey = (snapshot: Snapshot): Sql =>
  sql`if(${isCompared(snapshot)}, cityHash64(${indexFolder(mappedFolders(snapshot))}, name), 0)`

/**
 * For a LEFT JOIN with a few rows: the versions of each file by its `archive_key`, as size, modified time, backup date
 * and index. `keys` selects the keys of the rows. Undefined if no file can have versions.
 */
export function versionsByKey(snapshot: Snapshot, keys: Sql): Sql | undefined {
  const versions = archivedFiles(snapshot)
  return (
    versions &&
    sql`(
      SELECT cityHash64(index_folder, name) AS archive_key, groupArray(
        tuple(size, toUnixTimestamp(modified), toUnixTimestamp(backup_date), index_name)) AS archive_versions
      FROM ${versions} WHERE archive_key IN (${keys}) GROUP BY archive_key)`
  )
}

/** `archive_versions` of rows without the join. */
export const noVersions = text("CAST([], 'Array(Tuple(Int64, UInt32, UInt32, String))') AS archive_versions")

const same = sql`arrayFilter(v -> v.1 >= 0 AND v.1 = size AND v.2 > 0 AND v.2 = toUnixTimestamp(modified), archive_versions)`
const latest = text('toUInt32(4294967295)')
const first = sql`arraySort(v -> (if(v.3 = 0, ${latest}, v.3), v.4), ${same})[1]`
const last = sql`arrayReverseSort(v -> (v.3, v.4), archive_versions)[1]`
const shown = sql`if(notEmpty(${same}), ${first}, ${last})`

const { archived, changed, notArchived } = archiveStateTitles

/** Cells of a row with `archive_versions`, the same as `archivesAmong` returns. */
export const archiveCells = {
  state: (snapshot: Snapshot): Sql =>
    sql`multiIf(NOT ${isCompared(snapshot)}, '', notEmpty(${same}), ${archived}, notEmpty(archive_versions), ${changed}, ${notArchived})`,
  since: sql`if(${shown}.3 = 0, NULL, toDateTime(${shown}.3, 'UTC'))`,
  index: sql`${shown}.4`,
}
