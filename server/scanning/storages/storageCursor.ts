import { z } from 'zod'
import type { storageSorts } from '#events/storages.ts'
import { invalid } from '#server/platform/problem.ts'

type Sort = (typeof storageSorts)[number]

const Amount = z.int().min(-1)
const Value = z
  .string()
  .max(1_000)
  .refine((text) => !text.includes('\0'))
const values = { CREATED_AT: Amount, NAME: Value, TYPE: Value, CAPACITY_USED: Amount, CAPACITY_TOTAL: Amount }

/** A place in a sorted list of storages: that of one storage, which may have been deleted since. */
export type Place = { sort: Sort; value: string | number; id: number }

export const writeCursor = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** Throws 400 for anything but a cursor of a list in this order. */
export function readCursor(cursor: string, sort: Sort): Place {
  const Place = z.strictObject({
    sort: z.literal(sort),
    value: values[sort],
    id: z
      .int()
      .min(0)
      .max(2 ** 31 - 1),
  })
  const read = Place.safeParse(parse(cursor))
  return read.success ? read.data : invalid('endCursor', 'must be the endCursor of an answer in the same order')
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}
