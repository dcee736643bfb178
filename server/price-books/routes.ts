import { priceBooks } from '#events/price-books.ts'
import { crudRoutes } from '#server/platform/crudRoutes.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createPriceBook, removePriceBook, updatePriceBook } from './changePriceBook.ts'
import { listPriceBooks } from './listPriceBooks.ts'

export const priceBookRoutes = ({ db, live }: Pick<Platform, 'db' | 'live'>) => {
  const tell = <Result>(result: Result): Result => {
    // Storages show their price books, and what they cost.
    live({ type: 'changed', topics: ['priceBooks', 'volumeSettings', 'volumes'] })
    return result
  }
  return crudRoutes(priceBooks, {
    list: (query) => listPriceBooks(db, query),
    create: (draft, by) => createPriceBook(db, draft, by).then(tell),
    update: (id, draft, by) => updatePriceBook(db, id, draft, by).then(tell),
    remove: (id, by) => removePriceBook(db, id, by).then(tell),
  })
}
