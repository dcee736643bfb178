import { compareNames } from '#events/contract/names.ts'
import type { FileArchive } from '#events/search/archived.ts'
import { archivesAmong } from '#server/content/archived/index.ts'
import type { Entry, EntrySummary } from '#events/entries.ts'
import { entryFields, fieldsWith, type FieldsWith, type OwnField, rowOf } from '#events/entries/fields.ts'
import { readNotEntered } from '#events/scans/notEntered.ts'
import { fullPathOf } from '#events/sources/fullPath.ts'
import { join, type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { contentColumn, factsAmong, type ReadFacts } from '#server/content/media/facts.ts'
import { columnOf } from './criteriaCondition.ts'
import { ofAccess } from './conditions.ts'
import { type PlaceColumns, placeColumns, placeOf, placeKey } from './places.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { copiesAmong } from '#server/content/snapshots/index.ts'
import { type TagPeriod, tagsAt } from './tagsAt.ts'

/** Fields whose values are those of columns, in addition to the place. */
type ReadField = Exclude<Extract<OwnField, FieldsWith<{ column: string }>>, 'name' | 'isDirectory'>
const readFields = fieldsWith('column').filter(
  (field): field is ReadField => !['name', 'isDirectory', 'folderDepth'].includes(field),
)
const listedFields = readFields.filter((field) => rowOf(field).listed)

/** Numbers of 64 bits, which JSON would round, become text. Other columns have no expression. */
const asTexts: Partial<Record<ReadField, Sql>> = {
  fileId: sql`hex(file_id) AS fileId`,
  identificationHash: sql`hex(identification_hash) AS identificationHash`,
  inode: sql`toString(inode) AS inodeText`,
}
const selected = (field: ReadField): Sql => asTexts[field] ?? columnOf(field)
const readName = (field: ReadField): string =>
  field === 'inode' ? 'inodeText' : field in asTexts ? field : entryFields[field].column

/**
 * Columns for `asSummary`, without expressions. Planning a statement takes the engine longer than reading a page, and
 * each column and expression adds to that.
 */
export const summaryColumns = join([placeColumns, ...listedFields.map(selected), sql`allocated_size`], ', ')

/** Columns for `asEntry`: 29 columns take a quarter longer than 18. */
export const entryColumns = join([placeColumns, ...readFields.map(selected), contentColumn], ', ')

/** A row with the columns of `summaryColumns`. */
export type SummaryRecord = PlaceColumns & { size: number; allocated_size: number; [column: string]: unknown }

/** A row with the columns of `entryColumns`. */
export type EntryRecord = SummaryRecord & {
  content_key: string
  identificationHash: string
  modified: string
  /** In lists of existing and deleted entries. */
  is_deleted?: boolean
}

/** Facts about an entry from elsewhere: its volume, its tags, and its snapshot. */
type EntryContext = { snapshot: Snapshot; deleted: boolean; customTag: string[] }

/** The value of a column on the wire. */
function valueOf(field: ReadField, value: unknown, isDirectory: boolean): unknown {
  switch (entryFields[field].kind) {
    case 'id':
      return shownId(String(value))
    case 'moment':
      return knownTime(String(value))
    case 'folderMoment':
      return isDirectory ? knownTime(String(value)) : null
    case 'count':
      return isDirectory ? value : null
    case 'notEntered':
      return readNotEntered(String(value))
    default:
      return value
  }
}

function valuesOf<Field extends ReadField>(fields: readonly Field[], record: SummaryRecord, snapshot: Snapshot) {
  const isRecorded = !snapshot.unrecordedAccess.includes(record.volume)
  const values: Record<string, unknown> = {}
  for (const field of fields) {
    const isKnown = isRecorded || !ofAccess.some((column) => column === entryFields[field].column)
    values[field] = isKnown ? valueOf(field, record[readName(field)], record.is_directory) : null
  }
  return values as Pick<Entry, Field>
}

function asSummary(record: SummaryRecord, { snapshot, deleted, customTag }: EntryContext): EntrySummary {
  const { volumeId, path, isDirectory } = placeOf(record)
  const volume = snapshot.volumes.find((one) => one.volumeId === volumeId)
  return {
    ...valuesOf(listedFields, record, snapshot),
    name: record.name,
    path: path || '/',
    fullPath: fullPathOf(volume?.root ?? '', path),
    volumeId,
    volumeName: volume?.name ?? '',
    isDirectory,
    ...billedSize(record, snapshot),
    indexingDate: volume?.scannedOn ?? snapshot.indexingDate,
    deleted,
    customTag,
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

type FullContext = EntryContext & { dupe: boolean | null; archive: FileArchive | null; facts: ReadFacts | undefined }

const asEntry = (record: EntryRecord, { dupe, archive, facts, ...others }: FullContext): Entry => ({
  ...withFacts(valuesOf(readFields, record, others.snapshot), facts),
  ...asSummary(record, others),
  archive,
  dupe,
})

const withFacts = <E extends Pick<Entry, 'metadata'>>(entry: E, facts: ReadFacts | undefined): E =>
  facts ? { ...entry, metadata: { ...entry.metadata, ...facts } } : entry

/** An id or a hash in the API's form, from the engine's `hex`, which omits leading zeros. */
export const idOf = (hexadecimal: string): string => hexadecimal.toLowerCase().padStart(16, '0')

/** Empty for 0, which stands for none. */
const shownId = (hexadecimal: string): string => (hexadecimal === '00' ? '' : idOf(hexadecimal))
/** The hash that is equal for copies of an entry; empty if it has none. */
const hashOf = ({ identificationHash }: EntryRecord): string => shownId(identificationHash)

/** The engine's text of a time in UTC, `2026-11-22 08:30:00`, as ISO 8601. */
const isoText = (time: string): string => `${time.replace(' ', 'T')}.000Z`
const unknownTime = '1970-01-01 00:00:00'
const knownTime = (time: string): string | null => (time === unknownTime ? null : isoText(time))

export const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString()
export const isoIfKnown = (seconds: number | null): string | null => (seconds === null ? null : isoOf(seconds))

/**
 * The records of a page, each with its tags, its archive state, what was read from its content, and whether the snapshot has a copy of it. A `quick`
 * list leaves copies out if no groups of duplicates are counted.
 */
export async function asEntries(
  clickhouse: ClickHouse,
  records: EntryRecord[],
  { snapshot, deleted, quick = false }: { snapshot: Snapshot; deleted: boolean | 'each'; quick?: boolean },
): Promise<Entry[]> {
  const showsCopies = !quick || snapshot.duplicatesVersions !== undefined
  const [tags, copies, archiveOf, factsOf] = await Promise.all([
    tagsAt(clickhouse, records.map(placeOf), snapshot),
    showsCopies ? duplicatesAmong(clickhouse, records, snapshot) : undefined,
    archivesAmong(clickhouse, records, snapshot),
    factsAmong(clickhouse, records),
  ])
  const customTag = tagsOn(snapshot.indexingDate, tags)
  return records.map((record) =>
    asEntry(record, {
      snapshot,
      deleted: deleted === 'each' ? record.is_deleted === true : deleted,
      dupe: hashOf(record) === '' ? false : (copies?.has(hashOf(record)) ?? null),
      customTag: customTag(record),
      archive: archiveOf(record),
      facts: factsOf(record),
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
  const customTag = tagsOn(snapshot.indexingDate, given ?? (await tagsAt(clickhouse, records.map(placeOf), snapshot)))
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
