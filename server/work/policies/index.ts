export { policyRoutes } from './routes.ts'
export { startPolicies } from './scheduler.ts'
export { simulationRoutes } from './simulation/routes.ts'
