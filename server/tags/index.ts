export { queueTagging } from './queueTagResults.ts'
export { tagRoutes } from './routes.ts'
export { startTagJobs } from './startTagJobs.ts'
export { tagTasks } from './tagTasks.ts'
