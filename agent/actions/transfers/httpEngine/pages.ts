import { newListingGuard } from '../../../systems/listingGuard.ts'
import type { z } from 'zod'
import { Refused, TransferFailed } from '../failures.ts'
import type { CallOptions, Client } from './client.ts'
import { nextPageOf, type Page, pageOf } from './unconfirmed.ts'

type ListOptions<T> = Pick<CallOptions<T>, 'query' | 'task' | 'signal'> & { item: z.ZodType<T>; size?: number }

/** All items of a list. A service that refuses the number of items of a page chooses its own. */
export async function allOf<T>(client: Client, path: string, { size, ...options }: ListOptions<T>): Promise<T[]> {
  if (size === undefined) return concatenated(pagesOf(client, path, options))
  const query = { ...options.query, 'page[size]': String(size) }
  return concatenated(pagesOf(client, path, { ...options, query })).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error
    return allOf(client, path, options)
  })
}

async function concatenated<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const items: T[] = []
  for await (const page of pages) items.push(...page)
  return items
}

/** Items of a list, page by page. */
export async function* pagesOf<T>(
  client: Client,
  path: string,
  { query = {}, item, ...options }: Omit<ListOptions<T>, 'size'>,
): AsyncGenerator<T[]> {
  const read = pageOf(item)
  const guard = newListingGuard(
    (reason) => new TransferFailed(`The transfer service at ${client.host} repeats a page and never ends`, reason),
  )
  for (let next: Record<string, string> | undefined = query; next;) {
    guard.place(JSON.stringify(next))
    const page: Page<T> = await client.call('GET', path, { ...options, query: next, read })
    guard.page(page.data.length > 0)
    yield page.data
    next = nextPageOf(page, query)
  }
}
