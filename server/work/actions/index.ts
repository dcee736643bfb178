export { readIconikConfig } from './iconik/iconik.ts'
export { startActions } from './run/startActions.ts'
export { actionTasks } from './run/actionTasks.ts'
export { actionRoutes } from './routes.ts'
export { planOfJob } from './plans/planOfJob.ts'
export { freedBytes, keptByOwner, leaveOutKept } from './kit/parts.ts'
export { planAction, startPlan, startPlanIn } from './plans/plans.ts'
export { pageOfPlan } from './plans/routes.ts'
export {
  areDone,
  countQuarantined,
  mayHaveQuarantined,
  neededForQuarantine,
  type Quarantined,
} from './quarantine/inQuarantine.ts'
export { readStorNextConfig } from './stornext/configs.ts'
export { storNextFolders, storNextPaths } from './stornext/mappings.ts'
export { sodaPaths } from './transfers/mappings.ts'
export { readSodaConfig } from './transfers/soda.ts'
