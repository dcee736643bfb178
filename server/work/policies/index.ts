export { policyRoutes } from './routes.ts'
export { startPolicies } from './scheduler.ts'
