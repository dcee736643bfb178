import { archiveCells, comparedVolumes } from '#server/content/archived/index.ts'
import { type EntryField, entryFields, fieldsWith, type FieldsWith, rowOf, wordOf } from '#events/entries/fields.ts'
import { type MediaField, mediaFields } from '#events/media/fields.ts'
import { metadataPrefix } from '#events/media/names.ts'
import { isOfWindows } from '#events/sources/fullPath.ts'
import { type EntrySelection, isCopy } from '#server/content/entries/selectEntries.ts'
import { knownMoment } from '#server/content/entries/conditions.ts'
import { fieldsRead, valueInRow } from '#server/content/media/facts.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { asText } from '#server/platform/files/csv.ts'
import type { Sheet } from '#server/platform/files/spreadsheet.ts'
import { name, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { perVolume } from '#server/content/snapshots/reading/perVolume.ts'
import type { ShownVolume, Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'

export type Kind = 'files' | 'folders'

/**
 * A column of a download: its head, and its SQL value for a row of `entries` joined with the visible `tags`. `ours`:
 * the text is from our own code, so no program reads it as a formula.
 */
export type Column = Sheet['columns'][number] & { value: Sql; ours?: true }

/** The columns of a download for an entry, and of values that were read from files. Sizes are bytes; unknown values are NULL. */
export const columnsOf = (kind: Kind, selection: EntrySelection, media: readonly MediaField[]): Column[] => [
  ...fieldsWith('download')
    .filter((field) => kindOf(field) === undefined || kindOf(field) === kind)
    .flatMap((field) => columnFor(field, selection)),
  ...media.map((field) => ({
    head: metadataPrefix + field,
    width: 14,
    kind: mediaFields[field],
    value: valueInRow(field),
  })),
]

/** The media fields in a download: those of files, if any was read in these storages. */
export const mediaOf = async (
  clickhouse: ClickHouse,
  kind: Kind,
  { snapshot, volumes = snapshot.volumes }: EntrySelection,
): Promise<MediaField[]> => (kind === 'files' ? fieldsRead(clickhouse, volumes) : [])

/** The kind of entry that has a field; undefined for both. */
function kindOf(field: EntryField): Kind | undefined {
  if (field === 'extension' || field === 'archive') return 'files'
  return rowOf(field).kind === 'count' ? 'folders' : undefined
}

type Downloaded = FieldsWith<{ download: number }>

function columnFor(field: Downloaded, selection: EntrySelection): Column[] {
  const { kind, title = '', download: width = 0 } = rowOf(field)
  const column: Column = {
    head: kind === 'count' ? title : wordOf(field),
    width,
    ...plain(field, selection.snapshot),
  }
  const own = special[field]?.(selection) ?? [{}]
  return own.map((part) => ({ ...column, ...part }))
}

/** The plain column of a field. */
function plain(field: Downloaded, snapshot: Snapshot): Pick<Column, 'kind' | 'value'> {
  const row = entryFields[field]
  if (row.kind === 'moment') return { kind: 'moment', value: knownMoment(row.column, snapshot) }
  return { kind: row.kind === 'count' ? 'number' : 'text', value: 'column' in row ? name(row.column) : sql`''` }
}

const special: Partial<Record<Downloaded, (selection: EntrySelection) => Partial<Column>[]>> = {
  fullPath: ({ snapshot }) => [{ value: fullPath(snapshot.volumes) }],
  volumeName: ({ snapshot }) => [{ value: storageName(snapshot.volumes) }],
  size: () => [{ head: 'Size (bytes)', kind: 'number', value: sql`nullIf(size, -1)` }],
  indexingDate: ({ snapshot }) => [
    { kind: 'day', value: perVolume(snapshot.volumes, ({ scannedOn }) => scannedOn, '') },
  ],
  dupe: ({ snapshot }) => [{ value: sql`if(${isCopy(snapshot)}, 'yes', 'no')`, ours: true }],
  identificationHash: ({ snapshot }) => [
    { head: 'Duplicate set', value: sql`if(${isCopy(snapshot)}, ${duplicateSet}, '')`, ours: true },
  ],
  customTag: () => [{ head: 'Tags', value: sql`tags` }],
  /** Only in snapshots with an archive index. */
  archive: ({ snapshot }) =>
    comparedVolumes(snapshot).length === 0
      ? []
      : [
          { value: archiveCells.state(snapshot), ours: true },
          { head: 'Archived on', kind: 'moment', width: 20, value: archiveCells.since },
          { head: 'Archive index', width: 20, value: archiveCells.index },
        ],
  deleted: ({ deleted }) => [
    {
      value: deleted === 'each' ? sql`if(is_deleted, 'yes', 'no')` : deleted ? sql`'yes'` : sql`'no'`,
      ours: true,
    },
  ],
}

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
