import { type ListedObject, secondsIn, sizeIn } from '../../objectEntry.ts'
import { contentOf } from '../listing/readPage.ts'

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

/** Thrown for a file that is not part of an inventory. */
export class NoRow extends Error {}

/**
 * The object of a row, as a listing tells it, with an unreadable size or date undefined; undefined for older versions and for what was
 * deleted, and 'noKey' for a row without a key. A date that is empty, or no field of the inventory, is unknown.
 */
export function objectOfRow(row: InventoryRow): ListedObject | 'noKey' | undefined {
  if (isSet(row.islatest) && !isTrue(row.islatest)) return undefined
  if (isTrue(row.isdeletemarker)) return undefined
  const { key } = row
  if (typeof key !== 'string' || key === '') return 'noKey'
  const size = sizeIn(typeof row.size === 'bigint' ? Number(row.size) : row.size)
  const owner = textOf(row.objectowner)
  return {
    key,
    size,
    modified: isSet(row.lastmodifieddate) ? secondsIn(row.lastmodifieddate as string | number | Date) : 0,
    etag: contentOf(textOf(row.etag), size),
    storageClass: textOf(row.storageclass) || 'STANDARD',
    ...(owner ? { owner } : {}),
  }
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== ''
const isTrue = (value: unknown): boolean =>
  value === true || (typeof value === 'string' && value.toLowerCase() === 'true')
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
