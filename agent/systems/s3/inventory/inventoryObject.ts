import type { StoredObject } from '../../objectEntry.ts'
import { contentOf } from '../readPage.ts'

/** The columns that are read; others may be there. */
export const readColumns = [
  'key',
  'size',
  'lastmodifieddate',
  'etag',
  'storageclass',
  'islatest',
  'isdeletemarker',
  'objectowner',
] as const
export type InventoryColumn = (typeof readColumns)[number]

/** Values of a row by column: texts in CSV, also numbers, times and booleans in Parquet; nothing for a column without a value. */
export type InventoryRow = Partial<Record<InventoryColumn, unknown>>

/** `Last Modified Date` and `last_modified_date` are one column. */
export const columnOf = (name: string): string => name.trim().toLowerCase().replaceAll(/[_ ]/g, '')

/** A row that is none of an inventory. */
export class NoRow extends Error {}

/** The object of a row, as a listing tells it; undefined for older versions and for what was deleted. Throws `NoRow`. */
export function objectOfRow(row: InventoryRow): StoredObject | undefined {
  if (isSet(row.islatest) && !isTrue(row.islatest)) return undefined
  if (isTrue(row.isdeletemarker)) return undefined
  const { key } = row
  if (typeof key !== 'string' || key === '') throw new NoRow('has no key')
  const size = Number(isSet(row.size) ? row.size : Number.NaN)
  if (!Number.isSafeInteger(size) || size < 0) throw new NoRow('has no size')
  const owner = textOf(row.objectowner)
  return {
    key,
    size,
    modified: secondsOf(row.lastmodifieddate),
    etag: contentOf(textOf(row.etag), size),
    storageClass: textOf(row.storageclass) || 'STANDARD',
    ...(owner ? { owner } : {}),
  }
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== ''
const isTrue = (value: unknown): boolean =>
  value === true || (typeof value === 'string' && value.toLowerCase() === 'true')
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Seconds; 0 if unknown. */
function secondsOf(value: unknown): number {
  if (!isSet(value)) return 0
  const ms = value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : Number(value)
  if (!Number.isFinite(ms)) throw new NoRow(`has no date: ${String(value).slice(0, 100)}`)
  return Math.floor(ms / 1_000)
}
