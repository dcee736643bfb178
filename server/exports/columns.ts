import { archiveCells, comparedVolumes } from '#server/archived/index.ts'
import { isOfWindows } from '#events/sources/fullPath.ts'
import { type EntrySelection, isCopy } from '#server/entries/selectEntries.ts'
import { knownMoment } from '#server/entries/times.ts'
import { asText } from '#server/platform/files/csv.ts'
import type { Sheet } from '#server/platform/files/spreadsheet.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { perVolume } from '#server/snapshots/reading/perVolume.ts'
import type { ShownVolume, Snapshot } from '#server/snapshots/reading/snapshotAt.ts'

export type Kind = 'files' | 'folders'

/**
 * A column of a download: its head, and its SQL value for a row of `entries` joined with the visible `tags`. `ours`:
 * the text is from our own code, so no program reads it as a formula.
 */
export type Column = Sheet['columns'][number] & { value: Sql; ours?: true }

/** The columns of a download for an entry. Sizes are bytes; unknown values are NULL. */
export function columnsOf(kind: Kind, { snapshot, deleted }: EntrySelection): Column[] {
  const { volumes } = snapshot
  return [
    text('Name', 40, sql`name`),
    text('Path', 80, fullPath(volumes)),
    text('Storage', 20, storageName(volumes)),
    number('Size (bytes)', sql`nullIf(size, -1)`),
    ...(kind === 'files'
      ? [text('Extension', 10, sql`extension`)]
      : [number('Files', sql`files`), number('Folders', sql`folders`)]),
    text('Owner', 15, sql`owner`),
    text('Group', 15, sql`\`group\``),
    moment('Created', knownMoment('created', snapshot)),
    moment('Last access', knownMoment('last_access', snapshot)),
    moment('Last modified', knownMoment('last_modified', snapshot)),
    { head: 'Indexing date', kind: 'day', width: 13, value: perVolume(volumes, ({ scannedOn }) => scannedOn, '') },
    word('Duplicate', sql`if(${isCopy(snapshot)}, 'yes', 'no')`),
    { ...word('Duplicate set', sql`if(${isCopy(snapshot)}, ${duplicateSet}, '')`), width: 22 },
    text('Tags', 30, sql`tags`),
    ...(kind === 'files' ? archiveColumns(snapshot) : []),
    word('Deleted', deleted === 'each' ? sql`if(is_deleted, 'yes', 'no')` : deleted ? sql`'yes'` : sql`'no'`),
  ]
}

/** Only in snapshots with an archive index. */
function archiveColumns(snapshot: Snapshot): Column[] {
  if (comparedVolumes(snapshot).length === 0) return []
  return [
    { ...word('Archive state', archiveCells.state(snapshot)), width: 24 },
    moment('Archived on', archiveCells.since),
    text('Archive index', 20, archiveCells.index),
  ]
}

const text = (head: string, width: number, value: Sql): Column => ({ head, kind: 'text', width, value })
const word = (head: string, value: Sql): Column => ({ head, kind: 'text', width: 10, value, ours: true })
const number = (head: string, value: Sql): Column => ({ head, kind: 'number', width: 18, value })
const moment = (head: string, value: Sql): Column => ({ head, kind: 'moment', width: 20, value })

/** The same for all copies, so a spreadsheet can group by it. Without dashes, it could be read as a number and rounded. */
const duplicateSet = sql`replaceRegexpOne(lower(leftPad(hex(identification_hash), 16, '0')),
  '^(.{4})(.{4})(.{4})(.{4})$', ${String.raw`\1-\2-\3-\4`})`

type NamedVolume = Pick<ShownVolume, 'volumeId' | 'name' | 'root'>

/** Heads of `placeCells`. */
export const placeHeads = ['Name', 'Path', 'Storage', 'Kind', 'Size (bytes)']
/** The CSV cells of a row that has only the place and the size of an entry. */
export const placeCells = (volumes: readonly NamedVolume[]): Sql[] => [
  asText(sql`name`),
  asText(fullPath(volumes)),
  asText(storageName(volumes)),
  sql`if(is_directory, 'Folder', 'File')`,
  sql`nullIf(size, -1)`,
]

export const storageName = (volumes: readonly NamedVolume[]): Sql => perVolume(volumes, ({ name }) => name, '')

/** Joined as in `fullPathOf`. */
export function fullPath(volumes: readonly NamedVolume[]): Sql {
  const root = perVolume(volumes, ({ root }) => (root.endsWith('/') ? root.slice(0, -1) : root), '')
  const path = sql`concat(parent_path, name)`
  const windows = volumes.filter(({ root }) => isOfWindows(root)).map(({ volumeId }) => volumeId)
  const within = windows.length === 0 ? path : sql`if(volume IN ${windows}, replaceAll(${path}, '/', ${'\\'}), ${path})`
  return sql`concat(${root}, ${within})`
}
