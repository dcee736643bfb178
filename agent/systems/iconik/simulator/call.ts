import { z } from 'zod'
import { type Answer, answered, jsonIn } from '#agent/simulator/answers.ts'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'
import { ApiError } from './answers.ts'
import type { Iconik } from './contents.ts'

/** A request of the API, with the variable segments of its path and the user of its token. */
export type Call = SimulatedRequest & { params: string[]; userId: string; roles: Set<string> }

/** Body of a call. Throws the answer to another type, an unknown field, or a missing or invalid one. */
export function bodyOf<T>({ headers, body }: Call, schema: z.ZodType<T>): T {
  if (!/^application\/json(;|$)/.test(headers['content-type'] ?? ''))
    throw new ApiError(400, 'Content-Type must be application/json')
  return parsed(jsonIn(body), schema)
}

/** Query of a call. Throws the answer to an unknown or invalid parameter. */
export const queryOf = <T>({ query }: Call, schema: z.ZodType<T>): T => parsed(Object.fromEntries(query), schema)

function parsed<T>(value: unknown, schema: z.ZodType<T>): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ApiError(400, Object.fromEntries(result.error.issues.flatMap(textsOf)))
}

function textsOf(issue: z.core.$ZodIssue): [string, string][] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => [name, 'Unknown field.'])
  const name = issue.path.join('.') || '_schema'
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined && issue.message.endsWith('undefined')
  return [[name, isMissing ? 'Missing data for required field.' : issue.message]]
}

/** `true` or `false` in a query. */
export const Flag = z.enum(['true', 'false']).transform((text) => text === 'true')

export const Uuid = z.string().regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, 'Not a valid UUID.')

const perPage = z.coerce.number().int().min(1).default(10)

/** Parameters of lists with pages, which may also scroll. */
export const PageParameters = {
  page: z.coerce.number().int().min(1).default(1),
  per_page: perPage,
  sort: z.string().optional(),
  scroll: Flag.optional(),
  scroll_id: z.string().optional(),
}

type Paging = { page: number; per_page: number; scroll?: boolean | undefined; scroll_id?: string | undefined }

const maxPerPage = 100

/** A page, or the next objects of a scroll. */
export function pageOf(
  iconik: Iconik,
  call: Call,
  paging: Paging,
  items: object[],
  pastLastPage: 404 | 'empty' = iconik.readings.pastLastPage,
): Answer {
  const { page, per_page: size, scroll, scroll_id: scrollId } = paging
  requirePerPage(size)
  if (scroll || scrollId !== undefined) return scrolled(iconik, paging, items)
  const { deepPagingLimit } = iconik.readings
  if (page * size > deepPagingLimit) throw new ApiError(400, `Only the first ${deepPagingLimit} objects have pages`)
  const pages = Math.ceil(items.length / size)
  if (page > Math.max(1, pages) && pastLastPage === 404) throw new ApiError(404, `Page ${page} does not exist`)
  const nextQuery = new URLSearchParams({ ...Object.fromEntries(call.query), page: String(page + 1) })
  return answered({
    page,
    pages,
    per_page: size,
    total: totalOf(iconik, items),
    next_url: page < pages ? `/API/${call.path}?${nextQuery}` : null,
    objects: items.slice((page - 1) * size, page * size),
    scroll_id: null,
  })
}

function scrolled(iconik: Iconik, { per_page: size, scroll_id: known }: Paging, items: object[]): Answer {
  const { scrolls, newId } = iconik
  const id = known ?? `scroll-${newId()}`
  if (known === undefined) scrolls.set(id, items)
  const rest = scrolls.get(id)
  if (!rest) throw new ApiError(404, 'The scroll does not exist')
  return answered({ total: totalOf(iconik, items), objects: rest.splice(0, size), scroll_id: id })
}

/** The objects after an id. */
export function listAfterId(iconik: Iconik, call: Call, items: { id: string }[]): Answer {
  const { per_page: size, last_id: lastId = '' } = queryOf(
    call,
    z.strictObject({ per_page: perPage, last_id: Uuid.optional() }),
  )
  requirePerPage(size)
  const objects = items.filter(({ id }) => id > lastId).slice(0, size)
  return answered({ objects, per_page: size, total: totalOf(iconik, items) })
}

const totalOf = ({ behavior }: Iconik, items: object[]): number => Math.max(0, items.length - behavior.totalLag)

function requirePerPage(size: number): void {
  if (size > maxPerPage) throw new ApiError(400, { per_page: `Must be between 1 and ${maxPerPage}.` })
}
