import { z } from 'zod'

const largest = Number.MAX_SAFE_INTEGER

/** Decimal digits only: a blank or `0x10` is not a number here. */
const digits = /^-?\d+(\.\d+)?$/
/** Adding 0 turns -0 into 0. */
const read = (word: unknown): unknown => (typeof word === 'string' && digits.test(word) ? Number(word) + 0 : word)

type ReadNumber = z.ZodType<number, number>

/** A number in a query or path, both bounds included. */
export const writtenNumber = (least: number, most = largest): ReadNumber =>
  z.preprocess(read, z.number().min(least).max(most)) as unknown as ReadNumber

/** A whole number in a query or path, both bounds included. */
export const writtenInt = (least: number, most = largest): ReadNumber =>
  z.preprocess(read, z.number().min(least).max(most).int()) as unknown as ReadNumber
