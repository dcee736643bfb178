import { priceBooks } from '#events/price-books.ts'
import { useRemote } from '#client/app/remote.ts'

const byName = { page: 1, size: 500, sort: 'description', direction: 'asc' } as const

/** All price books by name. A single page is enough for manually created ones. */
export const usePriceBooks = () => useRemote(priceBooks.list, { query: byName }, 'priceBooks')
