import { type Job, type JobEvent, type Task, isOpen, jobStatuses } from '#events/jobs/events.ts'
import { taskTypes } from '#events/jobs/types.ts'
import { changeJob, giveUpTask } from '#server/workers/jobs/index.ts'
import type { Actor, Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { TaskHandlers } from './taskHandler.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'

type Order = { jobId: number; by: Actor }
/** `finished` are tasks whose runner has finished its part. */
type Decide = (job: Job, finished: readonly number[]) => JobEvent[]

/** Changes the tasks of a job with their own rows, and notifies the runners of the changed ones. */
export async function changeTasks(
  { db }: Pick<Platform, 'db'>,
  handlers: TaskHandlers,
  order: Order,
  decide: Decide,
): Promise<void> {
  const changed = await inTransaction(db, (trx) => changeTasksIn(trx, handlers, order, decide))
  notifyRunners(handlers, changed)
}

/**
 * Same in the caller's transaction: locks the tasks' own rows first, then the log. Returns the changed tasks: call
 * `notifyRunners` with them after the transaction.
 */
async function changeTasksIn(trx: Trx, handlers: TaskHandlers, { jobId, by }: Order, decide: Decide): Promise<Task[]> {
  const finished: number[] = []
  for (const type of taskTypes) finished.push(...((await handlers[type].lock?.(trx, jobId)) ?? []))
  const { job, events } = await changeJob(trx, jobId, by, (job) => decide(job, finished))
  const touched = new Set(events.map((event) => 'taskId' in event && event.taskId))
  const changed = job.tasks.filter(({ id }) => touched.has(id))
  for (const [type, tasks] of byType(changed)) await handlers[type].write?.(trx, tasks, by.name)
  return changed
}

/** Notifies the runners of changed tasks. */
export function notifyRunners(handlers: TaskHandlers, changed: Task[]): void {
  for (const [type, tasks] of byType(changed)) handlers[type].notify?.(tasks)
}

const byType = (tasks: Task[]) => Map.groupBy(tasks, ({ type }) => type)

const openStatuses = jobStatuses.filter((status) => isOpen({ status }))

type GiveUpOptions = { agentId: number; reason: string; by: Actor; onlyBegun?: boolean }

/**
 * Ends the open tasks of an agent, or only its started ones. Tasks that no longer need an agent continue. Returns the
 * ended tasks: call `notifyRunners` with them after the transaction.
 */
export async function giveUpTasksOfAgent(
  trx: Trx,
  handlers: TaskHandlers,
  { agentId, reason, by, onlyBegun = false }: GiveUpOptions,
): Promise<Task[]> {
  const jobs = await trx
    .selectFrom('tasks')
    .select('jobId')
    .distinct()
    .where('serverId', '=', agentId)
    .where('status', 'in', openStatuses)
    .orderBy('jobId')
    .execute()
  const at = new Date().toISOString()
  const ended: Task[] = []
  for (const { jobId } of jobs) {
    const changed = await changeTasksIn(trx, handlers, { jobId, by }, (job, finished) =>
      job.tasks
        .filter(
          ({ id, serverId, attempt }) =>
            serverId === agentId && !finished.includes(id) && !(onlyBegun && attempt === 0),
        )
        .flatMap(({ id }) => giveUpTask(job, id, reason, at)),
    )
    ended.push(...changed)
  }
  return ended
}
