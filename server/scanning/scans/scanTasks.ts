import type { Task } from '#events/jobs/events.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type AgentTaskHandler, stopTask } from '#server/workers/tasks/index.ts'
import { type Scan, announce } from './changeScan.ts'
import { forgetScan } from './endScan.ts'
import { nextPending, startScan } from './scanOrder.ts'

/** Handler of scan tasks. Each task is a scan, which has its own row. */
export const scanTasks = (platform: Platform): AgentTaskHandler => ({
  noun: 'scan',
  lock,
  write,
  notify(tasks) {
    void notify(platform, tasks).catch((error: unknown) =>
      platform.log.warn({ error }, 'What is left of scans that ended is removed at the next start'),
    )
  },
  start: (taskId, run, request) => startScan(platform, taskId, run, request),
  pending: (agentId, request) => nextPending(platform, agentId, request),
  unfinished: (taskIds) => walking(platform, taskIds),
})

/** A scan whose walk is complete can't be paused: that would save nothing. */
async function lock(trx: Trx, jobId: number): Promise<number[]> {
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

/** A paused scan waits, with the data that arrived as its checkpoint. A resumed scan does so too. */
async function write(trx: Trx, tasks: Task[], by: string): Promise<void> {
  const update = (change: Partial<Scan>, scans: Task[]) =>
    scans.length > 0 &&
    trx
      .updateTable('scans')
      .set({ state: change.state, finishedAt: change.finishedAt, reason: change.reason })
      .where(
        'taskId',
        'in',
        scans.map(({ id }) => id),
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

async function notify(platform: Platform, tasks: Task[]): Promise<void> {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const scans = await platform.db
    .selectFrom('scans')
    .select(['id', 'agentId', 'taskId'])
    .where('taskId', 'in', [...byId.keys()])
    .execute()
  // All agents stop before any data is removed. Of a lost scan, only the lost attempt stops.
  for (const { agentId, taskId } of scans) {
    const task = byId.get(taskId)
    if (task && isStopped(task)) stopTask(platform, agentId, { taskId, attempt: task.attempt })
  }
  for (const scan of scans) {
    await announce(platform, scan.id)
    if (isOver(byId.get(scan.taskId)?.status)) await forgetScan(platform, scan)
  }
}

/** True if the task is paused or lost. A resumed task was stopped before. */
const isStopped = ({ status, lapses }: Task): boolean => status === 'WAITING' || (status === 'AVAILABLE' && lapses > 0)

/** Filters tasks whose agent hasn't announced the end of the walk. */
async function walking({ db }: Platform, taskIds: number[]): Promise<number[]> {
  const scans = await db
    .selectFrom('scans')
    .select('taskId')
    .where('taskId', 'in', taskIds)
    .where('state', '=', 'running')
    .where('announced', 'is', null)
    .execute()
  return scans.map(({ taskId }) => taskId)
}
