import type { Msg, Subscription } from 'nats'
import { PendingRequest, type TaskAnswer } from '#events/agents.ts'
import { readAgentSubject, subjects } from '#events/subjects.ts'
import { staging } from '#server/ingest/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import { answerStart, pendingPage } from './startTask.ts'

/** Answers what agents ask; one replica answers each question. */
export function startAgentRequests(platform: Platform): { stop(): Promise<void> } {
  const { connection } = platform.nats
  const subscriptions = [
    answer(platform, connection.subscribe(subjects.allStartTask, { queue: 'server' }), startOrLater),
    answer(platform, connection.subscribe(subjects.allPending, { queue: 'server' }), nextPending),
  ]
  return {
    async stop() {
      await Promise.all(subscriptions.map((subscription) => subscription.drain()))
    },
  }
}

type Answering = (platform: Platform, agentId: number, request: unknown) => Promise<unknown>

function answer(platform: Platform, subscription: Subscription, answering: Answering): Subscription {
  void (async () => {
    for await (const message of subscription) void respond(platform, message, answering)
  })()
  return subscription
}

async function respond(platform: Platform, message: Msg, answering: Answering): Promise<void> {
  const agentId = readAgentSubject(message.subject)
  if (agentId === undefined) return
  try {
    message.respond(JSON.stringify(await answering(platform, agentId, message.json())))
  } catch (error) {
    platform.log.warn({ error, agentId, subject: message.subject }, 'A question of an agent could not be answered')
  }
}

/** A store that is down is a reason to ask again, not an end of the task. */
const startOrLater: Answering = async (platform, agentId, request): Promise<TaskAnswer> => {
  try {
    return await answerStart(platform, agentId, request)
  } catch (error) {
    platform.log.warn({ error, agentId }, 'A task cannot be started right now')
    return { type: 'later', reason: 'The server cannot start the task right now' }
  }
}

async function nextPending(platform: Platform, agentId: number, request: unknown) {
  const { taskId, attempt, after } = PendingRequest.parse(request)
  const scan = await platform.db
    .selectFrom('scans')
    .select('id')
    .where('taskId', '=', taskId)
    .where('agentId', '=', agentId)
    .where('attempt', '=', attempt)
    .executeTakeFirstOrThrow()
  return staging.pending(platform.clickhouse, scan.id, after, pendingPage)
}
