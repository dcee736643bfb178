import type { Msg, Subscription } from 'nats'
import { protocolVersion } from '#events/agents.ts'
import { readOutside, requireOutside } from '#events/contract/readOutside.ts'
import type { JobStatus } from '#events/jobs/events.ts'
import { type AgentTaskType, agentTaskTypes } from '#events/jobs/types.ts'
import { isReplyTo, readAgentSubject, subjects } from '#events/subjects.ts'
import { PendingRequest, type TaskAnswer, TaskRequest } from '#events/tasks.ts'
import { holdsKey, tooOld } from '#server/agent-runs/index.ts'
import { countRefused } from '#server/ingest/index.ts'
import { giveUpTask } from '#server/jobs/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { changeTasks } from './changeTasks.ts'
import type { TaskHandlers } from './taskHandler.ts'

/** A task is abandoned after its agent died this many times, since it would die at the same place again. */
const maxAttempts = 10

type Answer = (agentId: number, request: unknown) => Promise<unknown>

/** Answers requests of agents; one replica answers each request. */
export function startAgentRequests(platform: Platform, handlers: TaskHandlers): Running {
  return answerAgents(platform, {
    [subjects.allStartTask]: (agentId, request) => startOrLater(platform, handlers, agentId, request),
    [subjects.allPending]: (agentId, request) => nextPending(platform, handlers, agentId, request),
  })
}

/** Answers the requests of agents to each subject; an error is logged, and the agent asks again. */
export function answerAgents(platform: Platform, answers: Record<string, Answer>): Running {
  const subscriptions = Object.entries(answers).map(([subject, answer]) =>
    respondTo(platform, platform.nats.connection.subscribe(subject, { queue: 'server' }), answer),
  )
  return {
    async stop() {
      await Promise.all(subscriptions.map((subscription) => subscription.drain()))
    },
  }
}

function respondTo(platform: Platform, subscription: Subscription, answer: Answer): Subscription {
  void (async () => {
    for await (const message of subscription) void respond(platform, message, answer)
  })()
  return subscription
}

/**
 * The only way to answer agents. The server may publish anything, so an agent that chose the reply subject would speak
 * in the server's name.
 */
async function respond(platform: Platform, message: Msg, answer: Answer): Promise<void> {
  const agentId = readAgentSubject(message.subject)
  if (agentId === undefined) return
  try {
    if (!isReplyTo(agentId, message.reply))
      return await countRefused(platform, agentId, 'a request with a foreign reply subject')
    message.respond(JSON.stringify(await answer(agentId, message.json())))
  } catch (error) {
    platform.log.warn({ error, agentId, subject: message.subject }, 'could not answer a request of an agent')
  }
}

/** A store that is down means that the agent should ask again, not that the task ends. */
async function startOrLater(platform: Platform, handlers: TaskHandlers, agentId: number, request: unknown) {
  try {
    return await startTask(platform, handlers, agentId, request)
  } catch (error) {
    platform.log.warn({ error, agentId }, 'could not start a task, the agent will retry')
    return { type: 'later', reason: 'The server cannot start the task right now' } satisfies TaskAnswer
  }
}

/**
 * Answers an agent that starts a task: each start is a new attempt. Only the run that holds the agent's key may.
 * Another run learns that from its next heartbeat, and returns the task; one that is too old loses it, and the task is
 * queued again.
 */
async function startTask(
  platform: Platform,
  handlers: TaskHandlers,
  agentId: number,
  request: unknown,
): Promise<TaskAnswer> {
  const read = readOutside(TaskRequest, request)
  if (!read.success) return over('This is not a request for a task')
  const { taskId, run, protocol } = read.data
  if (protocol !== protocolVersion) return over(tooOld)
  const task = await findTask(platform, agentId, taskId)
  if (!task) return over('This agent has no such task')
  const handler = handlers[task.type]
  const state = stateWords[task.status]
  if (state) return over(`The ${handler.noun} is ${state}`)
  if (!(await holdsKey(platform.db, agentId, run)))
    return { type: 'later', reason: 'Another process holds the key of this agent' }
  if (task.tries >= maxAttempts) {
    const reason = `The agent ended ${maxAttempts} times during this ${handler.noun}`
    await giveUp(platform, handlers, task, reason)
    return over(reason)
  }
  return handler.start(task.id, run)
}

const over = (reason: string): TaskAnswer => ({ type: 'over', reason })

/** State of a task that must not be started. */
const stateWords: Partial<Record<JobStatus, string>> = {
  WAITING: 'paused',
  SUCCESS: 'done',
  WARNING: 'done',
  SCANNER_ERROR: 'failed',
  FAILURE: 'failed',
  CANCELLED: 'cancelled',
}

const findTask = ({ db }: Platform, agentId: number, taskId: number) =>
  db
    .selectFrom('tasks')
    .select(['id', 'jobId', 'type', 'status', 'tries'])
    .where('id', '=', taskId)
    .where('serverId', '=', agentId)
    .where('type', 'in', agentTaskTypes)
    .$narrowType<{ type: AgentTaskType }>()
    .executeTakeFirst()

/** Unless its agent has finished its part meanwhile. */
function giveUp(platform: Platform, handlers: TaskHandlers, task: { id: number; jobId: number }, reason: string) {
  const at = new Date().toISOString()
  return changeTasks(platform, handlers, { jobId: task.jobId, by: system }, (job, finished) =>
    finished.includes(task.id) ? [] : giveUpTask(job, task.id, reason, at),
  )
}

async function nextPending(platform: Platform, handlers: TaskHandlers, agentId: number, request: unknown) {
  const read = requireOutside(PendingRequest, request)
  const task = await findTask(platform, agentId, read.taskId)
  if (!task) throw new Error(`Agent ${agentId} has no task ${read.taskId}`)
  return handlers[task.type].pending(agentId, read)
}
