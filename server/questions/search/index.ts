export { checkExpressions } from './checkExpressions.ts'
export { selectBySearch } from './selectBySearch.ts'
export { searchRoutes } from './routes.ts'
