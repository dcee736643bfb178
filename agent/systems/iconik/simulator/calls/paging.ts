import { z } from 'zod'
import { type Answer, answered } from '#agent/simulator/answers.ts'
import { ApiError } from '../answers.ts'
import type { Iconik } from '../contents/iconik.ts'
import { type Call, Flag, Uuid } from './call.ts'

const defaultPerPage = 10
const scrollLifetimeMs = 300_000

/** Parameters of lists with pages. */
export const PageParameters = {
  page: z.coerce.number().int().min(1).default(1),
  per_page: z.coerce.number().int().min(1).default(defaultPerPage),
  sort: z.string().optional(),
}
/** Parameters of lists that also scroll. */
export const ScrollParameters = { ...PageParameters, scroll: Flag.optional(), scroll_id: z.string().optional() }
/** Parameters of lists that continue after an id. */
export const IdParameters = {
  per_page: z.coerce.number().int().min(1).default(defaultPerPage),
  last_id: Uuid.optional(),
}

type Paging = { page: number; per_page: number; scroll?: boolean | undefined; scroll_id?: string | undefined }
type Limits = { maxPerPage: number; pastLastPage: 404 | 'empty' }

/** A page, or the next objects of a scroll. */
export function pageOf(iconik: Iconik, call: Call, paging: Paging, items: object[], limits: Limits): Answer {
  const { page, per_page: perPage, scroll, scroll_id: scrollId } = paging
  requirePerPage(perPage, limits.maxPerPage)
  if (scroll || scrollId !== undefined) return scrolled(iconik, call, paging, items)
  if (page * perPage > iconik.readings.deepPagingLimit)
    throw new ApiError(400, `Only the first ${iconik.readings.deepPagingLimit} objects have pages`)
  const pages = Math.ceil(items.length / perPage)
  if (page > Math.max(1, pages) && limits.pastLastPage === 404) throw new ApiError(404, `Page ${page} does not exist`)
  const objects = items.slice((page - 1) * perPage, page * perPage)
  return answered({ ...envelope(iconik, call, items.length, page, pages, perPage), objects, scroll_id: null })
}

/** The objects after an id. */
export function listAfterId(
  { behavior }: Iconik,
  paging: { per_page: number; last_id?: string | undefined },
  items: { id: string }[],
): Answer {
  const { per_page: perPage, last_id: lastId } = paging
  requirePerPage(perPage, 100)
  const objects = items.filter(({ id }) => lastId === undefined || id > lastId).slice(0, perPage)
  return answered({ objects, per_page: perPage, total: Math.max(0, items.length - behavior.totalLag) })
}

function requirePerPage(perPage: number, max: number): void {
  if (perPage > max) throw new ApiError(400, { per_page: `Must be between 1 and ${max}.` })
}

function scrolled(
  iconik: Iconik,
  call: Call,
  { per_page: perPage, scroll_id: known }: Paging,
  items: object[],
): Answer {
  const { scrolls, clock, newId } = iconik
  const id = known ?? `scroll-${newId()}`
  if (known === undefined) scrolls.set(id, { items, at: clock.now() })
  const scroll = scrolls.get(id)
  if (!scroll || scroll.at < clock.now() - scrollLifetimeMs) throw new ApiError(404, 'The scroll does not exist')
  scroll.at = clock.now()
  const objects = scroll.items.splice(0, perPage)
  const pages = Math.ceil(items.length / perPage)
  return answered({ ...envelope(iconik, call, items.length, 1, pages, perPage), objects, scroll_id: id })
}

function envelope({ behavior }: Iconik, call: Call, count: number, page: number, pages: number, perPage: number) {
  const urlOf = (number: number) => {
    const query = new URLSearchParams(call.query)
    query.set('page', String(number))
    return `/API/${call.path}?${query}`
  }
  return {
    page,
    pages,
    per_page: perPage,
    total: Math.max(0, count - behavior.totalLag),
    first_url: urlOf(1),
    last_url: urlOf(Math.max(1, pages)),
    next_url: page < pages ? urlOf(page + 1) : null,
    prev_url: page > 1 ? urlOf(page - 1) : null,
  }
}

/** Sorted by a text such as `title,asc;date_created,desc`. Throws the answer to a field that is not in the list. */
export function sortedBy<T extends Record<string, unknown>>(
  items: T[],
  sort: string | undefined,
  fields: string[],
): T[] {
  if (sort === undefined) return items
  const orders = sort.split(';').map((each) => {
    const [field = '', direction = 'asc', ...rest] = each.split(',')
    if (!fields.includes(field) || !['asc', 'desc'].includes(direction) || rest.length > 0)
      throw new ApiError(400, { sort: `Invalid sort: ${each}` })
    return { field, sign: direction === 'asc' ? 1 : -1 }
  })
  return [...items].sort((a, b) => {
    for (const { field, sign } of orders) {
      const [left, right] = [String(a[field] ?? ''), String(b[field] ?? '')]
      if (left !== right) return left < right ? -sign : sign
    }
    return 0
  })
}
