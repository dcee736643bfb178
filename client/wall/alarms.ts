import type { Dashboard, StorageSize } from '#events/dashboard.ts'
import type { JobRow } from '#events/job-calls.ts'
import { usageLevel } from '../ui/usage.ts'
import { hasFailed } from './jobsOfWall.ts'

/** The share of a storage that is used; nothing where its size is not known. */
export const shareOf = ({ used, total }: StorageSize): number | undefined =>
  used !== null && total !== null && total > 0 ? used / total : undefined

/** Whether a storage passed 90 % between two dashboards. What was not known before did not pass. */
export function hasPassedCritical(before: Dashboard | undefined, now: Dashboard | undefined): boolean {
  if (!before || !now || before === now) return false
  const levels = new Map(before.storages.map((storage) => [storage.volumeId, levelOf(storage)]))
  return now.storages.some((storage) => {
    const level = levels.get(storage.volumeId)
    return level !== undefined && level !== 'critical' && levelOf(storage) === 'critical'
  })
}

function levelOf(storage: StorageSize) {
  const share = shareOf(storage)
  return share === undefined ? undefined : usageLevel(share)
}

type Jobs = ReadonlyMap<number, JobRow>

/** Whether a job failed between two readings of the jobs. */
export function hasFailedAnew(before: Jobs | undefined, now: Jobs | undefined): boolean {
  if (!before || !now || before === now) return false
  return [...now.values()].some((job) => {
    const known = before.get(job.id)
    return hasFailed(job) && !(known && hasFailed(known))
  })
}
