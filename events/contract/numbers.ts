import { z } from 'zod'

/** Decimal digits only: a blank or `0x10` is not a number here. */
const digits = /^-?\d+(\.\d+)?$/
/** Adding 0 turns -0 into 0. */
const parse = (word: number): unknown => (typeof word === 'string' && digits.test(word) ? Number(word) + 0 : word)

type NumberSchema = z.ZodType<number, number>

/** A number in a query or path, both bounds included. */
export const writtenNumber = (min: number, max = Number.MAX_SAFE_INTEGER): NumberSchema =>
  z.preprocess(parse, z.number().min(min).max(max))

/** A whole number in a query or path, both bounds included. */
export const writtenInt = (min: number, max = Number.MAX_SAFE_INTEGER): NumberSchema =>
  z.preprocess(parse, z.number().min(min).max(max).int())
