import type { Entry, EntrySummary } from '#events/entries.ts'
import { archivesAmong } from '#server/archived/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { typed } from '#server/platform/clickhouse/sql.ts'
import { copiesAmong, type Snapshot } from '#server/snapshots/index.ts'
import { asEntry, asSummary, type EntryRecord, hashOf, idOf, type SummaryRecord } from './entryRecord.ts'
import { type PlaceColumns, placeKey, placeOf } from './places.ts'
import { type TagPeriod, tagsAt } from './tagsAt.ts'

/**
 * The records of a page, each with its tags, its archive state, and whether the snapshot has a copy of it. A `quick` list leaves that out
 * if no groups of duplicates are counted.
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
  return (record: PlaceColumns) => [...new Set(onDay.get(placeKey(placeOf(record)))?.map(({ tag }) => tag))].sort()
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
