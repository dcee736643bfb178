export { startImports } from './commitImports.ts'
export { importRoutes } from './routes.ts'
