export { tagRoutes } from './routes.ts'
export { startTagJobs } from './startTagJobs.ts'
