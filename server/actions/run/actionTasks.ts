import type { Job, JobEvent, Task } from '#events/jobs/events.ts'
import { taskPayloadOf, type TaskPayloadOf } from '#events/jobs/payloads.ts'
import type { TaskAnswer } from '#events/tasks.ts'
import { changeJob, failTask, findJob, type StartRequest, startTask } from '#server/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import { wakeFollowers } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { type AgentTaskHandler, stopTask } from '#server/tasks/index.ts'
import { orderOf } from './orders.ts'

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

/** A task of an action with its job. */
export type ActionTask = { job: Job; task: Task; payload: TaskPayloadOf<'ACT_ON_FILES'> }

/** The task and its job; undefined if there is no such task of an action. */
export async function findActionTask({ db }: Pick<Platform, 'db'>, taskId: number): Promise<ActionTask | undefined> {
  const row = await db.selectFrom('tasks').select('jobId').where('id', '=', taskId).executeTakeFirst()
  const job = row && (await findJob(db, row.jobId))
  const task = job?.tasks.find(({ id }) => id === taskId)
  const payload = task && taskPayloadOf(task, 'ACT_ON_FILES')
  return job && task && payload && { job, task, payload }
}

/** Starts the next attempt of a task. Fails the task if its system is not set up any more. */
async function startAction(platform: Platform, taskId: number, request: StartRequest): Promise<TaskAnswer> {
  const found = await findActionTask(platform, taskId)
  if (!found) return { type: 'over', reason: 'This agent has no such task' }
  const { job, task } = found
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
  { job, task }: Pick<ActionTask, 'job' | 'task'>,
  decide: (job: Job, at: string) => JobEvent[],
): Promise<boolean> {
  const at = new Date().toISOString()
  const { events } = await db
    .transaction()
    .execute((trx) =>
      changeJob(trx, job.id, system, (now) =>
        now.tasks.find(({ id }) => id === task.id)?.attempt === task.attempt ? decide(now, at) : [],
      ),
    )
  wakeFollowers()
  return events.length > 0
}
