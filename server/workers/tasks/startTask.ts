import { sql } from 'kysely'
import { protocolVersion } from '#events/agents.ts'
import { readOutside } from '#events/contract/readOutside.ts'
import type { JobStatus } from '#events/jobs/events.ts'
import { type AgentTaskType, agentTaskTypes } from '#events/jobs/types.ts'
import { streamNames } from '#events/streams.ts'
import { type TaskAnswer, TaskRequest } from '#events/tasks.ts'
import { holdsKey, tooOld } from '#server/workers/agent-runs/index.ts'
import { giveUpTask } from '#server/workers/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { messageOf } from '#server/platform/problem.ts'
import { isStoreLost } from '#server/platform/storeErrors.ts'
import { changeTasks } from './changeTasks.ts'
import { newStarts, type StartOnce } from './startOnce.ts'
import type { TaskHandlers } from './taskHandler.ts'

/** A task fails for good after this many attempts, since it would fail at the same place again. */
const maxAttempts = 10
/** Minutes for which no start of a task succeeds, while the stores work, until the task fails. */
const maxFailingMinutes = 15

type Starter = {
  platform: Platform
  handlers: TaskHandlers
  startOnce: StartOnce
  /** Since when each task fails to start, in milliseconds of the clock, for which request. */
  failing: Map<number, { request: string; since: number }>
  now: () => number
}
type FoundTask = NonNullable<Awaited<ReturnType<typeof findTask>>>

/**
 * Makes the function that answers an agent's request to start a task. Each start is a new attempt, which counts unless
 * the agent requested it before and got no answer. A store that fails means that the agent retries.
 */
export function newTaskStarter(platform: Platform, handlers: TaskHandlers, now: () => number) {
  const starter: Starter = { platform, handlers, startOnce: newStarts(platform), failing: new Map(), now }
  return async (agentId: number, request: unknown): Promise<TaskAnswer> => {
    const read = readOutside(TaskRequest, request)
    if (!read.success) return over('This is not a request for a task')
    if (read.data.protocol !== protocolVersion) return over(tooOld)
    try {
      return await startTask(starter, agentId, read.data)
    } catch (error) {
      platform.log.warn({ error, agentId }, 'could not start a task, the agent will retry')
      return later('The server cannot start the task right now')
    }
  }
}

const over = (reason: string): TaskAnswer => ({ type: 'over', reason })
const later = (reason: string): TaskAnswer => ({ type: 'later', reason })

/**
 * Only the run that holds the agent's key may start a task. Another run learns that from its next heartbeat, and returns
 * the task; one that is too old loses it, and the task is queued again.
 */
async function startTask(starter: Starter, agentId: number, request: TaskRequest): Promise<TaskAnswer> {
  const { platform, handlers } = starter
  const task = await findTask(platform, agentId, request.taskId)
  if (!task) return over('This agent has no such task')
  const { noun } = handlers[task.type]
  const state = stateWords[task.status]
  if (state) return over(`The ${noun} is ${state}`)
  if (!(await holdsKey(platform.db, agentId, request.run))) return later('Another process holds the key of this agent')
  return starter.startOnce(request, task, () => startAttempt(starter, task, request))
}

async function startAttempt(starter: Starter, task: FoundTask, request: TaskRequest): Promise<TaskAnswer> {
  const { platform, handlers, failing } = starter
  const { run, request: id } = request
  const isRepeated = id !== undefined && id === (await lastRequest(platform, task))
  if (task.tries >= maxAttempts && !isRepeated)
    return giveUp(starter, task, reasonOf(task, handlers[task.type].noun, request))
  try {
    const answer = await handlers[task.type].start(task.id, run, { request: id, ...(isRepeated && { isRepeated }) })
    failing.delete(task.id)
    return answer
  } catch (error) {
    const known = isStoreLost(error) ? undefined : failing.get(task.id)
    const current = known?.request === (id ?? run) ? known : { request: id ?? run, since: starter.now() }
    failing.set(task.id, current)
    if (starter.now() - current.since < maxFailingMinutes * 60_000) throw error
    const { noun } = handlers[task.type]
    const reason = `The ${noun} could not be started for ${maxFailingMinutes} minutes: ${messageOf(error)}`
    return giveUp(starter, task, reason)
  }
}

/** The agent is known to have ended only if it started the task and returns without having failed. */
function reasonOf({ status }: FoundTask, noun: string, { request, failure }: TaskRequest): string {
  const reason = `The ${noun} was started ${maxAttempts} times without finishing`
  if (failure !== undefined) return `${reason}; the last time it failed on the agent: ${failure}`
  return request !== undefined && status === 'RUNNING' ? `${reason}; the last time the agent ended` : reason
}

/** Unless its agent has finished its part meanwhile. */
async function giveUp(starter: Starter, { id, jobId }: FoundTask, reason: string): Promise<TaskAnswer> {
  const at = new Date().toISOString()
  await changeTasks(starter.platform, starter.handlers, { jobId, by: system }, (job, finished) =>
    finished.includes(id) ? [] : giveUpTask(job, id, reason, at),
  )
  starter.failing.delete(id)
  return over(reason)
}

/** State of a task that must not be started. */
const stateWords: Partial<Record<JobStatus, string>> = {
  WAITING: 'paused',
  SUCCESS: 'done',
  WARNING: 'done',
  SCANNER_ERROR: 'failed',
  FAILURE: 'failed',
  CANCELLED: 'cancelled',
}

/** Finds a task of an agent. */
export const findTask = ({ db }: Platform, agentId: number, taskId: number) =>
  db
    .selectFrom('tasks')
    .select(['id', 'jobId', 'type', 'status', 'tries', 'attempt'])
    .where('id', '=', taskId)
    .where('serverId', '=', agentId)
    .where('type', 'in', agentTaskTypes)
    .$narrowType<{ type: AgentTaskType }>()
    .executeTakeFirst()

/** The request for which the task was started last. */
async function lastRequest({ db }: Platform, { id, jobId }: FoundTask): Promise<string | null | undefined> {
  const started = await db
    .selectFrom('events')
    .select(sql<string | null>`data->>'request'`.as('request'))
    .where('stream', '=', streamNames.job(jobId))
    .where('type', '=', 'TaskStarted')
    .where(sql<boolean>`(data->>'taskId')::bigint = ${id}`)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return started?.request
}
