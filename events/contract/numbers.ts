import { z } from 'zod'

const largest = Number.MAX_SAFE_INTEGER

/** Nothing but decimal digits: neither a blank nor `0x10` is a number that somebody meant. */
const digits = /^-?\d+(\.\d+)?$/
/** '-0' is 0. */
const read = (word: unknown): unknown => (typeof word === 'string' && digits.test(word) ? Number(word) + 0 : word)

type ReadNumber = z.ZodType<number, number>

/** A number as a query or a path writes it, both bounds included. */
export const writtenNumber = (least: number, most = largest): ReadNumber =>
  z.preprocess(read, z.number().min(least).max(most)) as unknown as ReadNumber

/** A whole one, likewise. */
export const writtenInt = (least: number, most = largest): ReadNumber =>
  z.preprocess(read, z.number().min(least).max(most).int()) as unknown as ReadNumber
