import { priceBooks } from '#events/price-books.ts'
import { crudRoutes } from '#server/platform/crud/crudRoutes.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createPriceBook, removePriceBook, updatePriceBook } from './priceBooks.ts'
import { listPriceBooks } from './priceBooks.ts'

export const priceBookRoutes = (platform: Pick<Platform, 'db' | 'live'>) =>
  crudRoutes(platform, priceBooks, {
    // Storages show their price books and costs.
    topics: ['priceBooks', 'sources', 'volumes'],
    list: (query) => listPriceBooks(platform.db, query),
    create: createPriceBook,
    update: updatePriceBook,
    remove: removePriceBook,
  })
