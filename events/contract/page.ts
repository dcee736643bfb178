import { z } from 'zod'
import { writtenInt } from './numbers.ts'

export const Direction = z.preprocess(
  (word) => (typeof word === 'string' ? word.toLowerCase() : word),
  z.enum(['asc', 'desc'], 'must be asc or desc'),
)
export type Direction = z.infer<typeof Direction>

type PageInput = {
  page?: number | undefined
  size?: number | undefined
  sort?: string | undefined
  direction?: 'asc' | 'desc' | undefined
}

/**
 * The requested page of a list, starting at 1. The sort is given as `sort` + `direction` or as `sort=field,direction`;
 * both are read into the two fields.
 */
export function pageQuery(defaultSize: number) {
  const page = writtenInt(1).default(1)
  const query = z.object({ page, ...beginning(defaultSize).shape })
  return z.preprocess(splitSort, query) as z.ZodType<z.output<typeof query>, PageInput>
}

/** Same as `pageQuery` without the page, for calls that return only the start of a list. */
export function beginningQuery(defaultSize: number) {
  const query = beginning(defaultSize)
  return z.preprocess(splitSort, query) as z.ZodType<z.output<typeof query>, Omit<PageInput, 'page'>>
}

const beginning = (defaultSize: number) =>
  z.object({
    size: writtenInt(1, 1000).default(defaultSize),
    sort: z.string().max(100).optional(),
    direction: Direction.optional(),
  })

export const PageQuery = pageQuery(25)
export type PageQuery = z.output<typeof PageQuery>

function splitSort(query: unknown): unknown {
  const { sort } = (query ?? {}) as { sort?: unknown }
  if (typeof sort !== 'string' || !sort.includes(',')) return query ?? {}
  const [field, direction] = sort.split(',')
  return { ...(query as object), sort: field, direction }
}

/** Parameters of a list that a call for its totals accepts and ignores; callers ask for totals with a page of size 0 (specification 1 §7). */
export const IgnoredPage = z.object({
  page: writtenInt(0).optional(),
  size: writtenInt(0, 1000).optional(),
  sort: z.string().max(100).optional(),
  direction: Direction.optional(),
})

/** Response of every list. */
export const pageOf = <T extends z.ZodType>(element: T) =>
  z.object({
    elements: z.array(element),
    page: z.int(),
    total: z.int(),
    size: z.int(),
    sort: z.string(),
    direction: z.enum(['asc', 'desc']),
  })
