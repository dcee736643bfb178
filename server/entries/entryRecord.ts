import { compareNames } from '#events/contract/names.ts'
import type { FileArchive } from '#events/search/archived.ts'
import { archivesAmong } from '#server/archived/index.ts'
import type { Entry, EntrySummary } from '#events/entries.ts'
import { readNotEntered } from '#events/scans/notEntered.ts'
import { fullPathOf } from '#events/sources/fullPath.ts'
import { sql, typed } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { type PlaceColumns, placeColumns, placeOf, placeKey } from './places.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { copiesAmong } from '#server/snapshots/index.ts'
import { type TagPeriod, tagsAt } from './tagsAt.ts'

/**
 * Columns for `asSummary`, without expressions. Planning a statement takes the engine longer than reading a page, and
 * each column and expression adds to that. Only 64-bit numbers, which JSON would round, become text.
 */
export const summaryColumns = sql`
  ${placeColumns}, hex(file_id) AS fileId, size, extension, owner, \`group\`, created, last_access, last_modified, accessed,
  modified, files, folders, unreadable, not_entered, allocated_size`

/** Columns for `asEntry`, also without expressions: 29 columns take a quarter longer than 18. */
export const entryColumns = sql`
  ${summaryColumns}, hex(identification_hash) AS identificationHash, toString(inode) AS inodeText,
  backup_date, metadata, mode, link_count, link_target, etag, storage_class, previous_path`

export type SummaryRecord = PlaceColumns & {
  fileId: string
  size: number
  extension: string
  owner: string
  group: string
  created: string
  last_access: string
  last_modified: string
  accessed: string
  modified: string
  files: number
  folders: number
  unreadable: boolean
  not_entered: string
  allocated_size: number
}

export type EntryRecord = SummaryRecord & {
  identificationHash: string
  inodeText: string
  backup_date: string
  metadata: Record<string, string>
  mode: number
  link_count: number
  link_target: string
  etag: string
  storage_class: string
  previous_path: string
  /** In lists of existing and deleted entries. */
  is_deleted?: boolean
}

/** Facts about an entry from elsewhere: its volume, its tags, and its snapshot. */
type EntryContext = { snapshot: Snapshot; deleted: boolean; customTag: string[] }

function asSummary(record: SummaryRecord, { snapshot, deleted, customTag }: EntryContext): EntrySummary {
  const { volumeId, path, isDirectory } = placeOf(record)
  const volume = snapshot.volumes.find((one) => one.volumeId === volumeId)
  const isRecorded = !snapshot.unrecordedAccess.includes(volumeId)
  return {
    fileId: idOf(record.fileId),
    name: record.name,
    path: path || '/',
    fullPath: fullPathOf(volume?.root ?? '', path),
    volumeId,
    volumeName: volume?.name ?? '',
    isDirectory,
    size: record.size,
    ...billedSize(record, snapshot),
    extension: record.extension,
    owner: record.owner,
    group: record.group,
    creationDate: knownTime(record.created),
    lastAccess: isRecorded ? knownTime(record.last_access) : null,
    lastModified: knownTime(record.last_modified),
    lastAccessFolder: isDirectory && isRecorded ? knownTime(record.accessed) : null,
    lastModifiedFolder: isDirectory ? knownTime(record.modified) : null,
    indexingDate: volume?.scannedOn ?? snapshot.indexingDate,
    numberOfFiles: isDirectory ? record.files : null,
    numberOfFolders: isDirectory ? record.folders : null,
    deleted,
    customTag,
    unreadable: record.unreadable,
    notEntered: readNotEntered(record.not_entered),
  }
}

/** Left out for apparent sizes, and while the space on disk is unknown. */
function billedSize(
  { volume, size, allocated_size: onDisk }: SummaryRecord,
  { apparentVolumes }: Snapshot,
): Pick<EntrySummary, 'billedSize'> {
  const isApparent = onDisk < 0 || onDisk === size || apparentVolumes.includes(volume)
  return isApparent ? {} : { billedSize: onDisk }
}

type FullContext = EntryContext & { dupe: boolean | null; archive: FileArchive | null }

const asEntry = (record: EntryRecord, { dupe, archive, ...beside }: FullContext): Entry => ({
  ...asSummary(record, beside),
  allocatedSize: record.allocated_size,
  backupDate: knownTime(record.backup_date),
  archive,
  dupe,
  identificationHash: hashOf(record),
  metadata: record.metadata,
  inode: record.inodeText,
  mode: record.mode,
  numberOfLinks: record.link_count,
  linkTarget: record.link_target,
  eTag: record.etag,
  storageClass: record.storage_class,
  previousPath: record.previous_path,
})

/** An id or a hash in the API's form, from the engine's `hex`, which omits leading zeros. */
export const idOf = (hexadecimal: string): string => hexadecimal.toLowerCase().padStart(16, '0')

/** The hash that is equal for copies of an entry; empty if it has none. */
const hashOf = ({ identificationHash }: EntryRecord): string =>
  identificationHash === noHash ? '' : idOf(identificationHash)
const noHash = '00'

/** The engine's text of a time in UTC, `2026-11-22 08:30:00`, as ISO 8601. */
const isoText = (time: string): string => `${time.replace(' ', 'T')}.000Z`
const unknownTime = '1970-01-01 00:00:00'
const knownTime = (time: string): string | null => (time === unknownTime ? null : isoText(time))

export const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString()
export const isoIfKnown = (seconds: number | null): string | null => (seconds === null ? null : isoOf(seconds))

/**
 * The records of a page, each with its tags, its archive state, and whether the snapshot has a copy of it. A `quick`
 * list leaves copies out if no groups of duplicates are counted.
 */
export async function asEntries(
  clickhouse: ClickHouse,
  records: EntryRecord[],
  { snapshot, deleted, quick = false }: { snapshot: Snapshot; deleted: boolean | 'each'; quick?: boolean },
): Promise<Entry[]> {
  const showsCopies = !quick || snapshot.duplicatesVersions !== undefined
  const [tags, copies, archiveOf] = await Promise.all([
    tagsAt(clickhouse, records.map(placeOf)),
    showsCopies ? duplicatesAmong(clickhouse, records, snapshot) : undefined,
    archivesAmong(clickhouse, records, snapshot),
  ])
  const customTag = tagsOn(snapshot.indexingDate, tags)
  return records.map((record) =>
    asEntry(record, {
      snapshot,
      deleted: deleted === 'each' ? record.is_deleted === true : deleted,
      dupe: hashOf(record) === '' ? false : (copies?.has(hashOf(record)) ?? null),
      customTag: customTag(record),
      archive: archiveOf(record),
    }),
  )
}

/** List rows of existing entries, with their tags, which are queried unless given. */
export async function asSummaries(
  clickhouse: ClickHouse,
  records: SummaryRecord[],
  snapshot: Snapshot,
  given: TagPeriod[] | undefined,
): Promise<EntrySummary[]> {
  const customTag = tagsOn(snapshot.indexingDate, given ?? (await tagsAt(clickhouse, records.map(placeOf))))
  return records.map((record) => asSummary(record, { snapshot, deleted: false, customTag: customTag(record) }))
}

/** Ids or hashes as numbers for the engine. */
export const asNumbers = (hexadecimals: string[]) =>
  typed(
    hexadecimals.map((hexadecimal) => BigInt(`0x${hexadecimal}`)),
    'Array(UInt64)',
  )

/** The tags of an entry on a day, sorted. */
function tagsOn(day: string, tags: TagPeriod[]) {
  const onDay = Map.groupBy(
    tags.filter(({ from, to }) => from <= day && to > day),
    placeKey,
  )
  return (record: PlaceColumns) =>
    [...new Set(onDay.get(placeKey(placeOf(record)))?.map(({ tag }) => tag))].sort(compareNames)
}

/** Returns which of the records' hashes occur more than once in the snapshot. */
async function duplicatesAmong(
  clickhouse: ClickHouse,
  records: EntryRecord[],
  snapshot: Snapshot,
): Promise<Set<string>> {
  const hashes = [...new Set(records.map(hashOf))].filter((hash) => hash !== '')
  if (hashes.length === 0) return new Set()
  return new Set((await copiesAmong(clickhouse, snapshot, asNumbers(hashes))).map(idOf))
}
