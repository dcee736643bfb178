export { tellOf } from './changeHeld.ts'
export { type Changed, beginJob, changeJob, fold, streamOfJob } from './changeJob.ts'
export {
  beginCommit,
  cancelTask,
  dispatchTasks,
  endTask,
  failTask,
  giveUpTask,
  loseTask,
  progressTask,
  queueScan,
  queueTagging,
  startTask,
} from './decide.ts'
export type { PlannedScan } from './decide.ts'
export { endTasksOfAgent } from './endTasksOfAgent.ts'
export { nextNumber } from './nextNumber.ts'
export { startRetention } from './pruneJobs.ts'
export { findJob, findJobDetails, jobRows } from './readJobs.ts'
export { compareJobs, rebuildOutdatedJobs, replayJobs } from './replay.ts'
export { jobRoutes } from './routes.ts'
export type { TaskRunner, TaskRunners } from './taskRunner.ts'
