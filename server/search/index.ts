export { checkExpressions } from './checkExpressions.ts'
export { selectBySearch } from './selectBySearch.ts'
export { selectByCriteria } from './selectByCriteria.ts'
export { searchRoutes } from './routes.ts'
