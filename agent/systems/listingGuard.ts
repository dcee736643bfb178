import { newSeenPaths } from './seenPaths.ts'

/** Pages in a row that may bring nothing new. Stores send some where objects were deleted. */
const maxIdlePages = 10_000
/** Pages of a list: billions of entries. */
const maxPages = 10_000_000

type Limits = { idlePages?: number; pages?: number }

/**
 * Notices that a list never ends: it continues at a place for the second time, brings nothing new page after page, or has more pages
 * than any list. Then throws the error of `failure`, which receives the reason. A page has something new if its entries, or the place after
 * it, are behind all earlier ones: a store may repeat entries forever, at new places.
 */
export function newListingGuard(failure: (reason: string) => Error, limits: Limits = {}) {
  const { idlePages = maxIdlePages, pages = maxPages } = limits
  const places = newSeenPaths()
  let idle = 0
  let total = 0
  let last = ''
  const page = (hasNew: boolean): void => {
    idle = hasNew ? 0 : idle + 1
    total++
    if (idle > idlePages) throw failure(`${idlePages.toLocaleString('en')} pages in a row have nothing new`)
    if (total > pages) throw failure(`the list has more than ${pages.toLocaleString('en')} pages`)
  }
  return {
    /** Takes the place at which the list continues, such as a token. */
    place(place: string): void {
      if (!places.isNew(place)) throw failure('the list continues at the same place again')
    },
    /** Counts a page. */
    page,
    /** Counts a page of a list in order by its last key, '' for an empty page. */
    pageUpTo(key: string): void {
      const isAfter = key > last
      if (isAfter) last = key
      page(isAfter)
    },
  }
}
export type ListingGuard = ReturnType<typeof newListingGuard>
