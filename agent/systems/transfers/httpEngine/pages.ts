import { newListingGuard } from '../../listingGuard.ts'
import type { z } from 'zod'
import { Refused, TransferFailed } from '../failures.ts'
import type { CallOptions, Client } from './client.ts'
import { nextPageOf, type Page, pageOf } from './unconfirmed.ts'

/** `max` is the number of items after which a list ends with a reason, and `size` that of a page. */
type ListOptions<T> = Pick<CallOptions<T>, 'query' | 'task' | 'signal'> & {
  item: z.ZodType<T>
  max: number
  size?: number
}

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
  for await (const page of pages) for (const item of page) items.push(item)
  return items
}

/** Pages in a row that may be empty. */
const idlePages = 100

/** Items of a list, page by page. Throws `TransferFailed` for a list that has too many, or never ends. */
export async function* pagesOf<T>(
  client: Client,
  path: string,
  { query = {}, item, max, ...options }: Omit<ListOptions<T>, 'size'>,
): AsyncGenerator<T[]> {
  const read = pageOf(item, max)
  const guard = newListingGuard(
    (reason) => new TransferFailed(`The transfer service at ${client.host} repeats a page and never ends`, reason),
    { idlePages },
  )
  let count = 0
  for (let next: Record<string, string> | undefined = query; next;) {
    guard.place(JSON.stringify(next))
    const page: Page<T> = await client.call('GET', path, { ...options, query: next, read })
    guard.page(page.data.length > 0)
    count += page.data.length
    if (count > max)
      throw new TransferFailed(
        `The transfer service at ${client.host} sent more than ${max.toLocaleString('en')} items when it had to ${options.task}`,
        `${count.toLocaleString('en')} items so far`,
      )
    yield page.data
    next = nextPageOf(page, query)
  }
}
