import { z } from 'zod'
import type { Direction } from '#events/page.ts'
import { invalid } from '#server/platform/problem.ts'
import { type Sql, sql, typed } from '#server/platform/sql.ts'
import type { Sort } from './sorts.ts'

/** Where a page ended: the sort key, the path and the file id of its last entry, and of which list. */
const Place = z.tuple([z.string(), z.enum(['asc', 'desc']), z.union([z.string(), z.number()]), z.string(), z.string()])

/** The entry after which a list goes on. */
export type Last = { sortKey: string | number; path: string; fileId: string }

export const writeCursor = ({ by }: Sort<string>, direction: Direction, { sortKey, path, fileId }: Last): string =>
  Buffer.from(JSON.stringify([by, direction, sortKey, path, fileId])).toString('base64url')

/** Reads a cursor that `writeCursor` wrote for the same list; throws 400 for any other. */
export function readCursor(cursor: string, { by, kind }: Sort<string>, direction: Direction): Last {
  const place = Place.safeParse(parse(cursor)).data
  if (!place) return invalid('cursor', 'is none that a list gave')
  const [listBy, listDirection, sortKey, path, fileId] = place
  if (listBy !== by || listDirection !== direction) return invalid('cursor', 'is that of a list sorted otherwise')
  const isOfKind = kind === 'text' ? typeof sortKey === 'string' : Number.isSafeInteger(sortKey)
  if (!isOfKind || !/^[0-9a-f]{16}$/.test(fileId)) return invalid('cursor', 'is none that a list gave')
  return { sortKey, path, fileId }
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** What comes after an entry in the order that `inOrder` makes. */
export function after({ kind, key }: Sort<string>, direction: Direction, { sortKey, path, fileId }: Last): Sql {
  const value = typed(sortKey, kind === 'text' ? 'String' : 'Int64')
  const farther = direction === 'asc' ? sql`${key} > ${value}` : sql`${key} < ${value}`
  const id = typed(BigInt(`0x${fileId}`).toString(), 'UInt64')
  const later = kind === 'text' ? sql`(concat(parent_path, name), file_id) > (${path}, ${id})` : sql`file_id > ${id}`
  return sql`(${farther} OR (${key} = ${value} AND ${later}))`
}

export function inOrder({ kind, key }: Sort<string>, direction: Direction): Sql {
  const sorted = direction === 'asc' ? sql`${key} ASC` : sql`${key} DESC`
  return kind === 'text' ? sql`${sorted}, concat(parent_path, name), file_id` : sql`${sorted}, file_id`
}
