import { z } from 'zod'
import type { Client } from './client.ts'
import { IconikFailed, Refusal } from './failures.ts'

const perPage = 100
const maxPages = 1_000

type List<T> = { path: string; query?: Record<string, string>; item: z.ZodType<T> }
type Page<T> = { objects: T[]; page: number; pages: number | undefined }

const pageOf = <T>(item: z.ZodType<T>) =>
  z.object({ objects: z.array(item).max(perPage), pages: z.number().nullish(), scroll_id: z.string().nullish() })

/** The end of a list that has more pages than any. */
const endless = (path: string) =>
  new IconikFailed(`Iconik lists more than ${(maxPages * perPage).toLocaleString('en')} objects`, path)

/** Pages of a list. A page after the last one has status 404, or is empty. */
export async function* pagesOf<T>(
  client: Client,
  { path, query, item }: List<T>,
  signal: AbortSignal,
): AsyncGenerator<Page<T>> {
  for (let page = 1; page <= maxPages; page++) {
    const call = { method: 'GET' as const, path, query: { ...query, per_page: String(perPage), page: String(page) } }
    const answer = await client.call(call, pageOf(item), signal).catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 404 && page > 1) return undefined
      throw error
    })
    if (!answer || answer.objects.length === 0) return
    const { objects, pages } = answer
    yield { objects, page, pages: pages ?? undefined }
    if (pages && page >= pages) return
  }
  throw endless(path)
}

/** Objects of a list that has no limit for its pages, in the order of the index. */
export async function* scrolled<T>(client: Client, { path, item }: List<T>, signal: AbortSignal): AsyncGenerator<T> {
  let position: Record<string, string> = { scroll: 'true' }
  for (let page = 1; page <= maxPages; page++) {
    const call = { method: 'GET' as const, path, query: { per_page: String(perPage), ...position } }
    const { objects, scroll_id: id } = await client.call(call, pageOf(item), signal)
    yield* objects
    if (objects.length === 0 || !id) return
    position = { scroll_id: id }
  }
  throw endless(path)
}

/** Objects of a list that continues after an id, such as the files of an asset. */
export async function* listedAfterId<T extends { id: string }>(
  client: Client,
  { path, item }: List<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const known = new Set<string>()
  let last: string | undefined
  for (let page = 1; page <= maxPages; page++) {
    const query = { per_page: String(perPage), ...(last !== undefined && { last_id: last }) }
    const { objects } = await client.call({ method: 'GET', path, query }, pageOf(item), signal)
    const added = objects.filter(({ id }) => !known.has(id))
    yield* added
    added.forEach(({ id }) => known.add(id))
    last = added.at(-1)?.id
    if (last === undefined || objects.length < perPage) return
  }
  throw endless(path)
}
