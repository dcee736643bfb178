export { launchReport } from './launchReport.ts'
export { reportRoutes } from './routes.ts'
export { reportTasks } from './runs/runReport.ts'
export { startReports } from './startReports.ts'
