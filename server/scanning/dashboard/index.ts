export { readDashboard, readStorages } from './readDashboard.ts'
export { readTrends } from './readTrends.ts'
export { dashboardRoutes } from './routes.ts'
