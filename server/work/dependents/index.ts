export { dependentRoutes } from './dependents.ts'
