import { type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import { attributesOf } from '#server/content/snapshots/commit/entryVersion.ts'
import { nextId } from '#server/content/snapshots/commit/writeGeneration.ts'
import { attributeNames } from '#server/content/snapshots/reading/attributes.ts'
import { snapshotStarts } from './calendar.ts'
import { plain } from './words.ts'

/** A filled volume: its IDs in both stores, and the scan of each snapshot. */
export type FilledVolume = { id: number; generation: number; scans: number[] }

const key = 'parent_path, name, is_directory, previous_path'
export const entryColumns = `volume, generation, row_id, from_scan, ${key}, ${attributeNames()}`
export const historyColumns = `volume, from_scan, to_scan, ended, moved_to, ${key}, ${attributeNames()}`

const starts = typed(snapshotStarts, 'Array(Int64)')
export const scansOf = ({ scans }: FilledVolume): Sql => typed(scans, 'Array(UInt64)')

/**
 * Changes of files over the snapshots: each scan after the first finds about one in a hundred changed, created, deleted
 * or moved, in groups of neighboring files.
 */
const lives = (seed: number, files: Sql): Sql => sql`
  SELECT *, sipHash64(${seed}, 'life', unit) % 1000 AS life, 2 + life % ${plain(snapshotStarts.length - 1)} AS turn,
    transform(intDiv(life, ${plain(snapshotStarts.length - 1)}), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
      ['changed', 'changed', 'changed', 'changed', 'changed', 'changed', 'created', 'created', 'deleted', 'moved'],
      'steady') AS fate,
    toInt64(arrayElement(${starts}, turn) - 3600 - h % 500000) AS lately
  FROM (${files})`

/** Newest versions of existing files, as rows of `entries`. */
export const newestFiles = (volume: FilledVolume, seed: number, files: Sql): Sql => sql`
  SELECT ${volume.id}, ${volume.generation}, ${nextId(volume.generation, 0)}, s.from_scan, s.parent_path, s.name, false, s.previous_path, ${attributesOf('file')}
  FROM (
    SELECT if(fate = 'moved', place_moved, place) AS parent_path, if(fate = 'moved', called_moved, called) AS name,
      if(fate = 'moved', concat(place, called), '') AS previous_path,
      arrayElement(${scansOf(volume)}, if(fate = 'steady', 1, turn)) AS from_scan,
      bytes AS size, if(fate IN ('changed', 'created'), lately, written) AS modified,
      if(fate = 'created', lately, written) AS created, ${beside}
    FROM (${lives(seed, files)})
    WHERE fate != 'deleted'
  ) AS s`

/** Ended versions of files, as rows of `entry_history`. */
export const endedFiles = (volume: FilledVolume, seed: number, files: Sql): Sql => sql`
  SELECT ${volume.id}, arrayElement(${scansOf(volume)}, 1), s.to_scan, s.fate, s.moved_to, s.parent_path, s.name, false, '',
    ${attributesOf('file')}
  FROM (
    SELECT fate, place AS parent_path, called AS name, arrayElement(${scansOf(volume)}, turn) AS to_scan,
      if(fate = 'moved', concat(place_moved, called_moved), '') AS moved_to,
      bytes - if(fate = 'changed', intDiv(bytes, 8), 0) AS size, written AS modified, written AS created, ${beside}
    FROM (${lives(seed, files)})
    WHERE fate IN ('changed', 'deleted', 'moved')
  ) AS s`

/** Last access: at some time between the last change and the first scan, or the scan that found the file. */
const beside = sql`
  intDiv(bytes + 4095, 4096) * 4096 AS allocated_size, 0 AS repeated_size, 1 AS link_count, 2049 AS device,
  f + 1000 AS inode, who AS owner, crew AS \`group\`, 33204 AS mode, '' AS link_target,
  modified + intDiv((greatest(${plain(snapshotStarts[0] ?? 0)}, modified) - modified) * (h % 1000), 1000) AS accessed,
  '' AS etag, '' AS storage_class, 0 AS backup_date, map() AS metadata`
