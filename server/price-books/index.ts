export { checkPriceBook, assignPriceBook } from './assignPriceBook.ts'
export { classPriceOn, storagePriceOn } from './storagePriceOn.ts'
export { createPriceBook } from './priceBooks.ts'
export { priceBookRoutes } from './routes.ts'
