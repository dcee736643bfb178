import type { Bundle } from '#events/contract/needs.ts'
import { isActionJob, type JobType } from '#events/jobs/types.ts'
import { everySource } from '#events/sources/kinds.ts'
import { actionRights } from './plans.ts'

/** Bundle whose license jobs of a type need; undefined if they need none. */
export const bundleOfJobType = (type: JobType): Bundle | undefined =>
  isActionJob(type) ? actionRights[type].bundle : everySource.find(({ scannedBy }) => scannedBy === type)?.bundle
