export { checksOf, type FailingCheck } from './runs/checks.ts'
export { reportRoutes } from './routes.ts'
export { reportTasks } from './runs/runReport.ts'
export { startReports } from './startReports.ts'
