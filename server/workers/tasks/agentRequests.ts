import type { Msg, Subscription } from 'nats'
import { requireOutside } from '#events/contract/readOutside.ts'
import { isReplyTo, readAgentSubject, subjects } from '#events/subjects.ts'
import { PendingRequest } from '#events/tasks.ts'
import { countRefused } from '#server/workers/ingest/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Running } from '#server/platform/runEvery.ts'
import { findTask, newTaskStarter } from './startTask.ts'
import type { TaskHandlers } from './taskHandler.ts'

type Answer<R = unknown> = (agentId: number, request: R) => Promise<unknown>

/** Answers requests of agents; one replica answers each request. */
export function startAgentRequests(platform: Platform, handlers: TaskHandlers, now = () => Date.now()): Running {
  return answerAgents(platform, {
    [subjects.allStartTask]: newTaskStarter(platform, handlers, now),
    [subjects.allPending]: (agentId, request) => nextPending(platform, handlers, agentId, request),
  })
}

/** Answers the requests of agents to each subject, which are JSON unless `read` says otherwise; an error is logged, and the agent asks again. */
export function answerAgents<R = unknown>(
  platform: Platform,
  answers: Record<string, Answer<R>>,
  read: (message: Msg) => R = (message) => message.json(),
): Running {
  const subscriptions = Object.entries(answers).map(([subject, answer]) =>
    respondTo(platform, platform.nats.connection.subscribe(subject, { queue: 'server' }), (agentId, message) =>
      answer(agentId, read(message)),
    ),
  )
  return {
    async stop() {
      await Promise.all(subscriptions.map((subscription) => subscription.drain()))
    },
  }
}

function respondTo(platform: Platform, subscription: Subscription, answer: Answer<Msg>): Subscription {
  void (async () => {
    for await (const message of subscription) void respond(platform, message, answer)
  })()
  return subscription
}

/**
 * The only way to answer agents. The server may publish anything, so an agent that chose the reply subject would speak
 * in the server's name.
 */
async function respond(platform: Platform, message: Msg, answer: Answer<Msg>): Promise<void> {
  const agentId = readAgentSubject(message.subject)
  if (agentId === undefined) return
  try {
    if (!isReplyTo(agentId, message.reply))
      return await countRefused(platform, agentId, 'a request with a foreign reply subject')
    message.respond(JSON.stringify(await answer(agentId, message)))
  } catch (error) {
    platform.log.warn({ error, agentId, subject: message.subject }, 'could not answer a request of an agent')
  }
}

async function nextPending(platform: Platform, handlers: TaskHandlers, agentId: number, request: unknown) {
  const read = requireOutside(PendingRequest, request)
  const task = await findTask(platform, agentId, read.taskId)
  if (!task) throw new Error(`Agent ${agentId} has no task ${read.taskId}`)
  return handlers[task.type].pending(agentId, read)
}
