export { healthRoutes } from './routes.ts'
export { readProblems, startHealthWatch } from './watchHealth.ts'
