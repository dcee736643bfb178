export { checkPriceBook, givePriceBook } from './givePriceBook.ts'
export { storagePriceOn } from './storagePriceOn.ts'
export { priceBookRoutes } from './routes.ts'
