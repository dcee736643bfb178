export { beginJob, changeJob, fold, streamOfJob } from './changeJob.ts'
export {
  beginCommit,
  cancelTask,
  endTask,
  failTask,
  progressTask,
  queueScan,
  queueTagging,
  startTask,
} from './decide.ts'
export type { PlannedScan } from './decide.ts'
export { nextNumber } from './nextNumber.ts'
export { findJob, findJobDetails, jobRows } from './readJobs.ts'
export { compareJobs, rebuildJobs, rebuildOutdatedJobs } from './replay.ts'
export { jobRoutes } from './routes.ts'
