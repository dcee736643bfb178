import { newListingGuard } from '../listingGuard.ts'

/** A page: its items, and the place of the next page, such as a token. */
type ListPage<I, P> = { items: I[]; next?: P | undefined }

export type PagesOptions<I> = {
  /** Error for a list that never ends, with the reason. */
  endless: (reason: string) => Error
  /** Pages of the list, and pages in a row that may bring nothing new. */
  limits?: { pages?: number; idlePages?: number }
  /** False for a page that brings nothing new; by default, for an empty one. */
  hasNew?: (items: I[]) => boolean
}

/** Reads a list page by page, the first at `place`. Throws the error of `endless` for one that never ends. */
export async function* pagesFrom<I, P>(
  place: P,
  read: (place: P) => Promise<ListPage<I, P>>,
  { endless, limits = {}, hasNew = (items) => items.length > 0 }: PagesOptions<I>,
): AsyncGenerator<I[]> {
  const guard = newListingGuard(endless, limits)
  for (let at: P | undefined = place; at !== undefined;) {
    guard.place(JSON.stringify(at))
    const { items, next }: ListPage<I, P> = await read(at)
    guard.page(hasNew(items))
    yield items
    at = next
  }
}
