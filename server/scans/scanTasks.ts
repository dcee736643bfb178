import type { Task } from '#events/jobs.ts'
import type { TaskRunner } from '#server/jobs/index.ts'
import type { Trx } from '#server/platform/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Scan, announce } from './changeScan.ts'
import { forgetScan, stopAttempt } from './tellAgent.ts'

/** What a scan has beside its job when a user cancels, pauses or resumes that. */
export const scanTasks = (platform: Platform): TaskRunner => ({
  hold,
  write,
  tell(tasks) {
    void tellOf(platform, tasks).catch((error: unknown) =>
      platform.log.warn({ error }, 'What is left of cancelled scans is removed at the next start'),
    )
  },
})

/** A scan whose walk is over is too far to be paused: nothing would be saved. */
async function hold(trx: Trx, jobId: number): Promise<number[]> {
  const scans = await trx
    .selectFrom('scans')
    .select(['taskId', 'state', 'announced'])
    .where('jobId', '=', jobId)
    .where('state', 'in', ['waiting', 'running', 'committing'])
    .orderBy('id')
    .forUpdate()
    .execute()
  return scans.filter(({ state, announced }) => state === 'committing' || announced).map(({ taskId }) => taskId)
}

/** A paused scan waits, with what arrived as its checkpoint, and so does one that was resumed. */
async function write(trx: Trx, tasks: Task[], by: string): Promise<void> {
  const update = (change: Partial<Scan>, meant: Task[]) =>
    meant.length > 0 &&
    trx
      .updateTable('scans')
      .set({ state: change.state, finishedAt: change.finishedAt, reason: change.reason })
      .where(
        'taskId',
        'in',
        meant.map(({ id }) => id),
      )
      .execute()
  const {
    CANCELLED: cancelled = [],
    SCANNER_ERROR: givenUp = [],
    ...open
  } = Object.groupBy(tasks, (task) => task.status)
  const finishedAt = new Date()
  await update({ state: 'cancelled', finishedAt, reason: `Cancelled by ${by}` }, cancelled)
  for (const task of givenUp) await update({ state: 'failed', finishedAt, reason: reasonOf(task) }, [task])
  await update({ state: 'waiting' }, Object.values(open).flat())
}

const isOver = (status: Task['status'] | undefined) => status === 'CANCELLED' || status === 'SCANNER_ERROR'
const reasonOf = ({ result }: Task): string | null => (result && 'reason' in result ? (result.reason ?? null) : null)

async function tellOf(platform: Platform, tasks: Task[]): Promise<void> {
  const status = new Map(tasks.map((task) => [task.id, task.status]))
  const scans = await platform.db
    .selectFrom('scans')
    .select(['id', 'agentId', 'taskId', 'attempt'])
    .where('taskId', 'in', [...status.keys()])
    .execute()
  // All agents stop before anything is cleared away.
  for (const scan of scans) if (status.get(scan.taskId) === 'WAITING') stopAttempt(platform, scan, scan.attempt)
  for (const scan of scans) {
    await announce(platform, scan.id)
    if (isOver(status.get(scan.taskId))) await forgetScan(platform, scan)
  }
}
