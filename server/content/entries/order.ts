import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { z } from 'zod'
import { type ListSort, listSorts, maxPathLength } from '#events/entries.ts'
import { entryFields } from '#events/entries/fields.ts'
import { isMediaName, isMediaNumber, type MediaName, mediaFieldOf } from '#events/media/names.ts'
import { checkSort } from '#server/platform/crud/checkSort.ts'
import { type Sql, sql, text, typed } from '#server/platform/clickhouse/sql.ts'
import { perVolume } from '#server/content/snapshots/reading/perVolume.ts'
import { costUnits } from '#server/content/snapshots/reading/costUnits.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import type { Direction } from '#events/contract/page.ts'
import { mediaValue, valueOf, withFact } from '#server/content/media/facts.ts'
import { invalid } from '#server/platform/problem.ts'
import { columnOf } from './criteriaCondition.ts'
import type { PlaceColumns } from './places.ts'
import { nameText, pathText, searchText, type SearchText, sortedSeconds } from './conditions.ts'
import { withFirstTag } from './tagsAt.ts'

/** Sort key of a list; texts sort by their lower case, names and paths by their search key, with numbers by their value. */
export type Sort<By = ListSort> = {
  by: By
  kind: 'text' | 'number'
  key: Sql
  /** Join that the key needs. */
  join?: Sql
}

const asText = (column: Sql) => ({ kind: 'text' as const, key: sql`lowerUTF8(${column})` })
/** `shot.2` is before `shot.10`. The engine writes the length of a number before it, and leaves out zeros in front. */
export const asName = ({ key }: SearchText) => ({ kind: 'text' as const, key: sql`naturalSortKey(${key})` })
/**
 * Not the column itself: the engine would first use it to find the rows of the page, which takes longer than the
 * conditions.
 */
const asNumber = (column: Sql) => ({ kind: 'number' as const, key: sql`toInt64(${column})` })

/** The sort of a list by its name in a request; throws 400 if it is unknown. */
export function sortBy(by: string, snapshot: Snapshot): Sort {
  checkSort(by, listSorts)
  return { by, ...keyOf(by, snapshot) }
}

function keyOf(by: ListSort, snapshot: Snapshot): Omit<Sort, 'by'> {
  const { volumes } = snapshot
  switch (by) {
    case 'name':
      return asName(nameText)
    case 'path':
      return asName(pathText)
    case 'volumeName':
      return asName(searchText(perVolume(volumes, ({ name }) => name, '')))
    case 'indexingDate':
      return asText(perVolume(volumes, ({ scannedOn }) => scannedOn, ''))
    case 'customTag':
      return { ...asName(searchText(sql`first_tag`)), join: withFirstTag(snapshot) }
    case 'cost':
      return asNumber(costUnits(snapshot))
    case 'duplicateSet':
      return asText(sql`concat(leftPad(toString(greatest(size, 0)), 20, '0'), hex(identification_hash))`)
    default: {
      if (isMediaName(by)) return mediaKey(by, volumes)
      const { kind, column } = entryFields[by]
      if (kind === 'text') return asText(columnOf(by))
      if (kind === 'moment' || kind === 'folderMoment') return { kind: 'number', key: sortedSeconds(column, snapshot) }
      return asNumber(columnOf(by))
    }
  }
}

/** Cursors have whole numbers, so numbers are compared in thousandths. Missing values are before all others. */
const mediaKey = (by: MediaName, volumes: Snapshot['volumes']): Omit<Sort, 'by'> => ({
  ...(isMediaNumber(by) ? asNumber(sql`ifNull(${mediaValue} * 1000, -1)`) : asText(mediaValue)),
  join: withFact(valueOf(mediaFieldOf(by)), volumes),
})

/** Table of a list with this order, for a FROM. */
export const sortable = (from: Sql, { join }: Pick<Sort<string>, 'join'>): Sql => (join ? sql`${from} ${join}` : from)

/** Sort order of a list. */
export type Order<By extends string = string> = { sort: Sort<By>; direction: Direction }

/** The last entry of a page: its sort key and its place. */
export type Last = PlaceColumns & { sortKey: string | number }

/**
 * Text of a cursor. Its own text is at most as long as the longest path with each character escaped, and text from
 * others must not be longer: the engine reads statements up to 256 kB.
 */
const Text = z.string().refine((text) => {
  const escaped = text.match(/[\p{Cc}'\\]/gu)?.length ?? 0
  return Buffer.byteLength(text) + 3 * escaped <= 4 * maxPathLength
})

/** Content of a cursor: its list, and the last entry. */
const Cursor = z.tuple([
  z.string(),
  z.enum(['asc', 'desc']),
  z.union([Text, z.int()]),
  Text,
  Text,
  z
    .int()
    .min(0)
    .max(2 ** 31 - 1),
  z.boolean(),
])

/** Compressed, because the path of a deep folder is in it twice. */
export function writeCursor({ by }: Sort<string>, direction: Direction, last: Last): string {
  const { sortKey, parent_path, name, volume, is_directory } = last
  const content: z.infer<typeof Cursor> = [by, direction, sortKey, parent_path, name, volume, is_directory]
  const params = { [constants.BROTLI_PARAM_QUALITY]: quickly }
  return brotliCompressSync(JSON.stringify(content), { params }).toString('base64url')
}
/** Compression level: a path of 32,768 characters takes 1 ms, and no other level makes it much shorter. */
const quickly = 5

/** Reads a cursor written by `writeCursor` for the same list; throws 400 for any other. */
export function readCursor(cursor: string, { by, kind }: Sort<string>, direction: Direction): Last {
  const content = Cursor.safeParse(parse(cursor)).data
  if (!content) return invalid('cursor', 'is not a valid cursor')
  const [listBy, listDirection, sortKey, parent_path, name, volume, is_directory] = content
  if (listBy !== by || listDirection !== direction) return invalid('cursor', 'belongs to a different sort order')
  if ((typeof sortKey === 'string') !== (kind === 'text')) return invalid('cursor', 'is not a valid cursor')
  return { sortKey, parent_path, name, volume, is_directory }
}

/** Maximum bytes after decompression, more than the longest paths need: the compressed text may be anything. */
const maxBytes = 1024 * 1024

function parse(cursor: string): unknown {
  try {
    const packed = Buffer.from(cursor, 'base64url')
    return JSON.parse(brotliDecompressSync(packed, { maxOutputLength: maxBytes }).toString())
  } catch {
    return undefined
  }
}

/** The place of an entry, the last sort key of every list, so pages never overlap. */
const place = text('parent_path, name, volume, is_directory')

/** A value of the sort key. */
const keyValue = ({ kind }: Sort<string>, value: string | number): Sql =>
  typed(value, kind === 'text' ? 'String' : 'Int64')

/** Entries after a given one in the order of `inOrder`. */
export function after(sort: Sort<string>, direction: Direction, last: Last): Sql {
  const { key } = sort
  const { sortKey, parent_path, name, volume, is_directory } = last
  const value = keyValue(sort, sortKey)
  const farther = direction === 'asc' ? sql`${key} > ${value}` : sql`${key} < ${value}`
  const later = sql`(${place}) > (${parent_path}, ${name}, ${volume}, ${is_directory})`
  return sql`(${farther} OR (${key} = ${value} AND ${later}))`
}

/**
 * Entries that match a condition and are not after a value of the sort key. Numbers are compared before the condition,
 * because that is faster than most conditions; texts after it.
 */
export function upTo(value: string | number, { sort, direction }: Order, where: Sql): Sql {
  const bound = keyValue(sort, value)
  const isWithin = direction === 'asc' ? sql`${sort.key} <= ${bound}` : sql`${sort.key} >= ${bound}`
  return sort.kind === 'number' ? sql`${isWithin} AND ${where}` : sql`${where} AND ${isWithin}`
}

export const inDirection = (direction: Direction): Sql => (direction === 'asc' ? sql`ASC` : sql`DESC`)

export const inOrder = ({ key }: Sort<string>, direction: Direction): Sql =>
  sql`${key} ${inDirection(direction)}, ${place}`
