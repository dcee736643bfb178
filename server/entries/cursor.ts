import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { z } from 'zod'
import { maxPathLength } from '#events/entries.ts'
import type { Direction } from '#events/contract/page.ts'
import { invalid } from '#server/platform/problem.ts'
import { type Sql, sql, text, typed } from '#server/platform/clickhouse/sql.ts'
import type { PlaceColumns } from './places.ts'
import type { Sort } from './sorts.ts'

/** How a list is sorted. */
export type Order<By extends string = string> = { sort: Sort<By>; direction: Direction }

/** The entry after which a list goes on: its sort key, and where it lies. */
export type Last = PlaceColumns & { sortKey: string | number }

/**
 * Text of a cursor. Its writer's is no longer than the longest path with each letter escaped, and what anybody else packs must not be,
 * either: the engine reads statements up to 256 kB.
 */
const Text = z.string().refine((text) => {
  const escaped = text.match(/[\p{Cc}'\\]/gu)?.length ?? 0
  return Buffer.byteLength(text) + 3 * escaped <= 4 * maxPathLength
})

/** What a cursor says: of which list it is, and where that ended. */
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

/** Packed, for the path of a deep folder stands in it twice. */
export function writeCursor({ by }: Sort<string>, direction: Direction, last: Last): string {
  const { sortKey, parent_path, name, volume, is_directory } = last
  const said: z.infer<typeof Cursor> = [by, direction, sortKey, parent_path, name, volume, is_directory]
  const params = { [constants.BROTLI_PARAM_QUALITY]: quickly }
  return brotliCompressSync(JSON.stringify(said), { params }).toString('base64url')
}
/** A path of 32,768 letters takes 1 ms so, and none of the others makes it much shorter. */
const quickly = 5

/** Reads a cursor that `writeCursor` wrote for the same list; throws 400 for any other. */
export function readCursor(cursor: string, { by, kind }: Sort<string>, direction: Direction): Last {
  const said = Cursor.safeParse(parse(cursor)).data
  if (!said) return invalid('cursor', 'is none that a list gave')
  const [listBy, listDirection, sortKey, parent_path, name, volume, is_directory] = said
  if (listBy !== by || listDirection !== direction) return invalid('cursor', 'is that of a list sorted otherwise')
  if ((typeof sortKey === 'string') !== (kind === 'text')) return invalid('cursor', 'is none that a list gave')
  return { sortKey, parent_path, name, volume, is_directory }
}

/** More than the longest paths take: what is packed may be anything. */
const mostBytes = 1024 * 1024

function parse(cursor: string): unknown {
  try {
    const packed = Buffer.from(cursor, 'base64url')
    return JSON.parse(brotliDecompressSync(packed, { maxOutputLength: mostBytes }).toString())
  } catch {
    return undefined
  }
}

/** Where an entry lies: what every list is sorted by at last, so that pages never overlap. */
const place = text('parent_path, name, volume, is_directory')

/** A value of the sort key. */
const keyValue = ({ kind }: Sort<string>, value: string | number): Sql =>
  typed(value, kind === 'text' ? 'String' : 'Int64')

/** What comes after an entry in the order that `inOrder` makes. */
export function after(sort: Sort<string>, direction: Direction, last: Last): Sql {
  const { key } = sort
  const { sortKey, parent_path, name, volume, is_directory } = last
  const value = keyValue(sort, sortKey)
  const farther = direction === 'asc' ? sql`${key} > ${value}` : sql`${key} < ${value}`
  const later = sql`(${place}) > (${parent_path}, ${name}, ${volume}, ${is_directory})`
  return sql`(${farther} OR (${key} = ${value} AND ${later}))`
}

/**
 * What meets a condition and comes no later than a value of the sort key. Numbers are tried first, for they are quicker to try than
 * most conditions, and texts last.
 */
export function upTo(value: string | number, { sort, direction }: Order, where: Sql): Sql {
  const bound = keyValue(sort, value)
  const isWithin = direction === 'asc' ? sql`${sort.key} <= ${bound}` : sql`${sort.key} >= ${bound}`
  return sort.kind === 'number' ? sql`${isWithin} AND ${where}` : sql`${where} AND ${isWithin}`
}

export const inDirection = (direction: Direction): Sql => (direction === 'asc' ? sql`ASC` : sql`DESC`)

export const inOrder = ({ key }: Sort<string>, direction: Direction): Sql =>
  sql`${key} ${inDirection(direction)}, ${place}`
