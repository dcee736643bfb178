import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import { type ActionJobType, actionOfType, splitPayload } from '#events/actions/actions.ts'
import type { ActionOrder } from '#events/actions/orders.ts'
import type { Job, JobEvent, Task } from '#events/jobs/events.ts'
import type { TaskPayloadOf } from '#events/jobs/payloads.ts'
import type { TaskAnswer } from '#events/tasks.ts'
import { changeJob, failTask, findJob, type StartRequest, startTask } from '#server/workers/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { readProductId } from '#server/platform/postgres/product.ts'
import { Problem } from '#server/platform/problem.ts'
import { type AgentTaskHandler, stopTask } from '#server/workers/tasks/index.ts'
import { handlerOf } from '../plans/handlers.ts'

/**
 * Handler of actions on files. A task has no row of its own: its files are in the frozen selection, and their states in `acted_files`, so
 * that every attempt continues from there.
 */
export const actionTasks = (platform: Platform): AgentTaskHandler => ({
  noun: 'action',
  lock: async () => [],
  write: async () => {},
  notify(tasks) {
    for (const task of tasks)
      if (isStopped(task)) stopTask(platform, task.serverId, { taskId: task.id, attempt: task.attempt })
    // Screens show which sets are being compared.
    platform.live({ type: 'changed', topics: ['contents'] })
  },
  start: (taskId, _, request) => startAction(platform, taskId, request),
  pending: () => Promise.reject(new Error('Files of actions are requested with a FilesRequest')),
  unfinished: async (taskIds) => taskIds,
})

/** True if the runner has to stop: the task is over, paused or lost. A resumed task was stopped before. */
const isStopped = ({ status, lapses }: Task): boolean =>
  status === 'WAITING' || status === 'CANCELLED' || status === 'SCANNER_ERROR' || (status === 'AVAILABLE' && lapses > 0)

/** The order of a task; `attempt` is its new attempt. Throws a `Problem` if its system is not set up any more. */
export async function orderOf(
  platform: Pick<Platform, 'db' | 'config'>,
  job: Pick<Job, 'id' | 'type' | 'payload'>,
  { payload }: Pick<Task, 'payload'>,
  attempt: number,
): Promise<ActionOrder> {
  const action = actionOfType(job.type as ActionJobType)
  const { options } = splitPayload(action, job.payload)
  const { system: systemId } = payload as TaskPayloadOf<'ACT_ON_FILES'>
  const system = await handlerOf(action).order(platform, options, systemId, job.id)
  return { attempt, jobId: job.id, product: await readProductId(platform.db), system }
}

/** Starts the next attempt of a task. Fails the task if its system is not set up any more. */
async function startAction(platform: Platform, taskId: number, request: StartRequest): Promise<TaskAnswer> {
  const row = await platform.db.selectFrom('tasks').select('jobId').where('id', '=', taskId).executeTakeFirst()
  const job = row && (await findJob(platform.db, row.jobId))
  const task = job?.tasks.find(({ id }) => id === taskId)
  if (!job || task?.type !== 'ACT_ON_FILES') return { type: 'over', reason: 'This agent has no such task' }
  const found = { jobId: job.id, taskId, attempt: task.attempt }
  const attempt = task.attempt + 1
  const order = await orderOf(platform, job, task, attempt).catch(orProblem)
  if (order instanceof Problem) {
    await changeAttempt(platform, found, (now, at) => failTask(now, taskId, order.message, at))
    return { type: 'over', reason: order.message }
  }
  const isTaken = await changeAttempt(platform, found, (now, at) => startTask(now, taskId, attempt, at, request))
  return isTaken ? { type: 'action', order } : { type: 'later', reason: 'The action was changed just now' }
}

function orProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

/** Changes the job of a task unless the task has another attempt; returns whether anything changed. */
export async function changeAttempt(
  { db }: Pick<Platform, 'db'>,
  { jobId, taskId, attempt }: { jobId: number; taskId: number; attempt: number },
  decide: (job: Job, at: string) => JobEvent[],
): Promise<boolean> {
  const at = new Date().toISOString()
  const { events } = await inTransaction(db, (trx) =>
    changeJob(trx, jobId, system, (now) =>
      now.tasks.find(({ id }) => id === taskId)?.attempt === attempt ? decide(now, at) : [],
    ),
  )
  return events.length > 0
}
