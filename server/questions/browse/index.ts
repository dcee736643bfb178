export { browseRoutes } from './routes.ts'
