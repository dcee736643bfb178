import { type Answer, answered, Refused } from '#agent/simulator/answers.ts'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'
import type { Readings } from './unconfirmed.ts'

/** A call with the variable segments of its path. */
export type Call = SimulatedRequest & { params: string[] }

/** Errors in the form of JSON:API. */
export const errorAnswer = (status: number, title: string, detail?: string): Answer => ({
  status,
  body: { errors: [{ status: String(status), title, ...(detail === undefined ? {} : { detail }) }] },
})

/** Ends a call with an error. */
export const refused = (status: number, title: string, detail?: string): Refused =>
  new Refused(errorAnswer(status, title, detail))

export const notFound = (kind: string, id: string): Refused => refused(404, 'Not Found', `${kind} ${id}`)

/** Number of items of a page. Throws the answer for one that is not allowed. */
export function pageSize({ query }: Call, { maxPageSize }: Readings): number {
  const text = query.get('page[size]')
  if (text === null) return 25
  if (!/^[1-9]\d*$/.test(text) || Number(text) > maxPageSize) throw refused(400, 'Bad Request', 'page[size]')
  return Number(text)
}

type Page = { data: object[]; endCursor: string | null; hasNextPage: boolean; pageInfo?: object }

/** A page of a list, with the link to the next one. */
export function paged({ path, query }: Call, { lastLink }: Readings, page: Page): Answer {
  const { data, endCursor, hasNextPage, pageInfo } = page
  const next = new URLSearchParams({ ...Object.fromEntries(query), 'page[after]': endCursor ?? '' })
  const lastLinks = lastLink === 'null' ? { next: null } : {}
  const links = hasNextPage ? { next: `/${path}?${next}` } : lastLinks
  return answered({ data, links, meta: { pageInfo: { endCursor, hasNextPage, ...pageInfo } } })
}
