export { metricRoutes } from './routes.ts'
export { startMetrics } from './startMetrics.ts'
