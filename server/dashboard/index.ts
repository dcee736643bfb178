export { readDashboard } from './readDashboard.ts'
export { dashboardRoutes } from './routes.ts'
export { scanRecord } from './scanRecord.ts'
