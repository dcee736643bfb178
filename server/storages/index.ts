export { filesBefore } from './filesBefore.ts'
export { readStatistics } from './readStatistics.ts'
export { storageRoutes } from './routes.ts'
