import { priceBooks } from '#events/price-books.ts'
import { useRemote } from '../../app/remote.ts'
import type { Sort } from '../../ui/column.ts'

/** All price books; more than one page may hold are not set up by hand. */
export const usePriceBooks = (sort: Sort) =>
  useRemote(priceBooks.list, { query: { size: 500, sort: sort.field, direction: sort.direction } }, 'priceBooks')
