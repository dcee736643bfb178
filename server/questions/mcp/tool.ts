import { z } from 'zod'
import type { CallAsSender } from '#server/platform/http/mount.ts'

/** Maximum rows of a result. */
export const maxRows = 100

type Query = Record<string, unknown>

/** Links to screens at an address. Undefined values are left out, and an array repeats its name. */
export const linksTo =
  (address: string) =>
  (path: string, query: Query = {}): string => {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query))
      for (const word of [value ?? []].flat()) search.append(name === 'indexingDate' ? 'date' : name, String(word))
    return `${address}${path}${search.size > 0 ? `?${search}` : ''}`
  }

export type Context = { call: CallAsSender; links: ReturnType<typeof linksTo> }

/**
 * The result of a tool: figures of the whole, and rows of a list with their `total`, by default their number. `next` requests further
 * rows. `link` opens the screen that shows the same.
 */
export type Result = { figures?: object; rows?: readonly object[]; total?: number; next?: string | null; link: string }

/** A question that programs can ask, answered by declared calls. The description is for language models. */
export type Tool = {
  name: string
  description: string
  input: z.ZodObject
  answer: (input: never, context: Context) => Promise<Result>
}

/** Keeps the types of the input. Unknown fields are refused, since a misspelled one would change the result. */
export const tool = <Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  input: Shape,
  answer: (input: z.output<z.ZodObject<Shape>>, context: Context) => Promise<Result>,
): Tool => ({ name, description, input: z.strictObject(input), answer })

/** The result of a call for a page of a list. */
export const paged = ({ elements, total }: { elements: object[]; total: number }, link: string): Result => ({
  rows: elements,
  total,
  link,
})

/** The first rows of a whole list. */
export const first = (rows: readonly object[], limit: number, link: string): Result => ({
  rows: rows.slice(0, limit),
  total: rows.length,
  link,
})

export const indexingDate = z.string().describe('Day like 2026-01-31. Default: the newest snapshot').optional()
export const limit = z.int().min(1).max(maxRows).default(25)
export const page = z.int().min(1).default(1)
export const direction = z.enum(['asc', 'desc']).default('desc')
export const named = z.string().describe('Name or number')
export const storage = named.describe('Name or number of a storage. Default: all').optional()
export const path = z.string().describe('Full path, or the path within the storage')
