import { NoPriceBook } from '#client/parts/cost/Cost.tsx'
import { usePriceBooks } from '../price-books/usePriceBooks.ts'

/** Name of a price book in a row that only has its id. */
export function PriceBookName({ id }: { id: number | undefined }) {
  const { data } = usePriceBooks()
  if (id === undefined) return <NoPriceBook />
  return data?.elements.find((book) => book.id === id)?.description ?? '-'
}
