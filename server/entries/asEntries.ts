import type { Entry } from '#events/entries.ts'
import { hiddenTagPrefix } from '#events/tags.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql, typed } from '#server/platform/sql.ts'
import { duplicateHashes, type Snapshot } from '#server/snapshots/index.ts'
import { asEntry, type EntryRecord } from './entryRecord.ts'
import { piecesOf } from './pieces.ts'
import { validOn } from './taggedWith.ts'

/**
 * The records of a page, each with its tags and whether the snapshot has a copy of it. A `quick` list leaves that out where
 * no groups of duplicates are counted.
 */
export async function asEntries(
  clickhouse: ClickHouse,
  records: EntryRecord[],
  { snapshot, deleted, quick = false }: { snapshot: Snapshot; deleted: boolean | 'each'; quick?: boolean },
): Promise<Entry[]> {
  const isTold = !quick || snapshot.duplicatesVersion !== undefined
  const [tags, copies] = await Promise.all([
    tagsOf(clickhouse, records, snapshot),
    isTold ? copiesAmong(clickhouse, records, snapshot) : undefined,
  ])
  return records.map((record) =>
    asEntry(record, {
      snapshot,
      deleted: deleted === 'each' ? record.isDeleted === true : deleted,
      dupe: record.identificationHash === '' ? false : (copies?.has(record.identificationHash) ?? null),
      customTag: tags.get(record.fileId) ?? [],
    }),
  )
}

/** Ids or hashes as the engine holds them. */
export const asNumbers = (hexadecimals: string[]) =>
  typed(
    hexadecimals.map((hexadecimal) => BigInt(`0x${hexadecimal}`)),
    'Array(UInt64)',
  )

/** The tags that users see, in their order. */
async function tagsOf(clickhouse: ClickHouse, records: EntryRecord[], snapshot: Snapshot) {
  const pieces = piecesOf(records, ({ path }) => path)
  const found = await Promise.all(pieces.map((piece) => tagsOfPiece(clickhouse, piece, snapshot)))
  return new Map(found.flat().map(({ fileId, tags }) => [fileId, tags]))
}

/** By the key; the ids tell apart what the lists could mean besides. */
const tagsOfPiece = (clickhouse: ClickHouse, records: EntryRecord[], { indexingDate }: Snapshot) =>
  clickhouse.rows<{ fileId: string; tags: string[] }>(sql`
    SELECT leftPad(lower(hex(file_id)), 16, '0') AS fileId, arraySort(groupUniqArray(tag)) AS tags
    FROM entry_tags FINAL
    WHERE volume IN ${[...new Set(records.map(({ volumeId }) => volumeId))]}
      AND parent_path IN ${records.map(({ path }) => folderOf(path))}
      AND name IN ${records.map(({ path }) => nameOf(path))}
      AND file_id IN ${asNumbers(records.map(({ fileId }) => fileId))}
      AND ${validOn(indexingDate)} AND NOT startsWith(tag, ${hiddenTagPrefix})
    GROUP BY file_id`)

/** The `parent_path` and the `name` of an entry with this path. */
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Which of the records' hashes the snapshot has more than once. */
async function copiesAmong(clickhouse: ClickHouse, records: EntryRecord[], snapshot: Snapshot): Promise<Set<string>> {
  const hashes = [...new Set(records.map(({ identificationHash }) => identificationHash))].filter((hash) => hash !== '')
  if (hashes.length === 0) return new Set()
  const rows = await clickhouse.rows<{ found: string }>(
    sql`SELECT leftPad(lower(hex(hash)), 16, '0') AS found FROM ${duplicateHashes(snapshot, asNumbers(hashes))}`,
  )
  return new Set(rows.map(({ found }) => found))
}
