export { simulationRoutes } from './simulation/routes.ts'
export { policyRoutes } from './routes.ts'
export { startPolicies } from './scheduler.ts'
export { distrustPolicies } from './saveRun.ts'
