import { usedShare } from '#events/capacity.ts'
import type { Dashboard, StorageSize } from '#events/dashboard.ts'
import type { JobRow } from '#events/jobs/calls.ts'
import type { CheckedReport } from '#events/reports/runs.ts'
import { usageLevel } from '#client/ui/values/usage.ts'
import { hasFailed } from '#client/parts/job-words/hasFailed.ts'

/** True if a storage has passed 90 % between two dashboards. Storages with unknown usage don't count. */
export function hasPassedCritical(before: Dashboard | undefined, now: Dashboard | undefined): boolean {
  if (!before || !now || before === now) return false
  const levels = new Map(before.storages.map((storage) => [storage.volumeId, levelOf(storage)]))
  return now.storages.some((storage) => {
    const level = levels.get(storage.volumeId)
    return level !== undefined && level !== 'critical' && levelOf(storage) === 'critical'
  })
}

function levelOf(storage: StorageSize) {
  const share = usedShare(storage)
  return share === undefined ? undefined : usageLevel(share)
}

type Jobs = ReadonlyMap<number, JobRow>

/** True if a job has failed between two states. */
export function hasNewFailure(before: Jobs | undefined, now: Jobs | undefined): boolean {
  if (!before || !now || before === now) return false
  return [...now.values()].some((job) => {
    const known = before.get(job.id)
    return hasFailed(job) && !(known && hasFailed(known))
  })
}

/** True if a report check has started to fail between two states. */
export function hasNewCheckFailure(
  before: readonly CheckedReport[] | undefined,
  now: readonly CheckedReport[] | undefined,
): boolean {
  if (!before || !now || before === now) return false
  const failed = (checks: readonly CheckedReport[]) => checks.filter(({ state }) => state === 'FAILED')
  const known = new Set(failed(before).map(({ id }) => id))
  return failed(now).some(({ id }) => !known.has(id))
}
