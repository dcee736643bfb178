export { startAlertsAfterScans } from './alertsAfterScans.ts'
export { coveredStorages, schedulesNaming } from './coveredStorages.ts'
export { scheduleRoutes } from './routes.ts'
export { runDue, startScheduler } from './scheduler.ts'
