import type { cancellableStates } from '#events/job-calls.ts'
import { waitingStatuses } from '#events/job-states.ts'
import type { Actor } from '#server/platform/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { controlJob } from './controlJob.ts'
import type { TaskRunners } from './taskRunner.ts'

type Order = { status: (typeof cancellableStates)[number]; by: Actor }

/** Cancels all jobs that run, or all that are open and do not; each on its own. Returns how many it ended. */
export async function cancelAll(
  platform: Pick<Platform, 'db' | 'live'>,
  runners: TaskRunners,
  { status, by }: Order,
): Promise<number> {
  const meant = status === 'RUNNING' ? (['RUNNING'] as const) : waitingStatuses
  const jobs = await platform.db.selectFrom('jobs').select('id').where('status', 'in', meant).orderBy('id').execute()
  let cancelled = 0
  for (const { id } of jobs) {
    const order = { wanted: 'CANCELLED', by } as const
    cancelled += await controlJob(platform, runners, id, order).then(() => 1, noneIfItEndedMeanwhile)
  }
  return cancelled
}

function noneIfItEndedMeanwhile(error: unknown): 0 {
  if (error instanceof Problem && (error.status === 409 || error.status === 404)) return 0
  throw error
}
