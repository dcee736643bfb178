export { savedSearchRoutes } from './routes.ts'
