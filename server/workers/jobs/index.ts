export { beginJob, changeJob } from './changeJob.ts'
export {
  beginCommit,
  cancelJob,
  cancelTask,
  dispatchTasks,
  endTask,
  failTask,
  giveUpTask,
  loseTask,
  pauseJob,
  progressTask,
  queueAction,
  queueReport,
  queueScan,
  queueTagging,
  resumeJob,
  startTask,
  verifyTask,
  warnTask,
} from './decide.ts'
export type { ScanJob, StartRequest } from './decide.ts'
export { nextNumber } from './nextNumber.ts'
export { startRetention } from './pruneJobs.ts'
export { checkOwn, isOwn, isSeen, type JobSight, showsJob, showsRow, sightOf } from './ownJobs.ts'
export { findJob, findJobDetails, jobRows } from './readJobs.ts'
export { compareJobs, rebuildOutdatedJobs, replayJobs } from './replay.ts'
export { jobRoutes } from './routes.ts'
