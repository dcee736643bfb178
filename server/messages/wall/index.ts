export { wallPage } from './wallPage.ts'
export { wallRoutes } from './routes.ts'
