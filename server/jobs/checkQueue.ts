import { waitingStatuses } from '#events/job-states.ts'
import { configuredNumber } from '#server/configurations/index.ts'
import type { Trx } from '#server/platform/eventLog.ts'
import { conflict } from '#server/platform/problem.ts'

/**
 * Throws 409 when as many jobs as are allowed waited before this one was queued. Asked within its transaction, which
 * holds the lock of the log: of two that are launched at once the second one is counted by the first.
 */
export async function checkQueue(trx: Trx, jobId: number): Promise<void> {
  // Each job waits for a moment, so that with 0 none could ever be queued: one may.
  const most = Math.max(1, await configuredNumber(trx, 'jobQueuedLength'))
  const { waiting } = await trx
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('waiting'))
    .where('status', 'in', waitingStatuses)
    .where('id', '!=', jobId)
    .executeTakeFirstOrThrow()
  if (waiting >= most) conflict(`There are already ${waiting} jobs waiting`, 'jobs-waiting')
}
