export { checkExpressions } from './checkExpressions.ts'
export { meantBySearch } from './meantBySearch.ts'
export { searchRoutes } from './routes.ts'
