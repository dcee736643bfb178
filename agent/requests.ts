import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import { protocolVersion } from '#events/agents.ts'
import { PendingPage, TaskAnswer } from '#events/tasks.ts'
import { subjects } from '#events/subjects.ts'
import { abortable } from './abortable.ts'
import type { Connection } from './connection.ts'
import { RetryLater } from './execution.ts'

/**
 * How long the server may take over an answer, the pauses between tries, and when requests for a page end. The first is also
 * how long it takes to notice that no server listens: nats-server does not say so across accounts.
 */
const timeoutMs = 10_000
const firstPauseMs = 250
const longestPauseMs = 5_000
const pageTimeoutMs = 5 * 60_000

type Started = Exclude<TaskAnswer, { type: 'later' }>

/** Asks the server to start a task, for as long as it cannot say. */
export async function requestTask(connection: Connection, taskId: number, signal: AbortSignal): Promise<Started> {
  const { agentId, run } = connection
  const request = { subject: subjects.startTask(agentId), body: { taskId, run, protocol: protocolVersion } }
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const answer = await requestOnce(connection, request, TaskAnswer, signal)
    if (answer && answer.type !== 'later') return answer
    await wait(pauseMs, undefined, { signal })
  }
}

type PageRequest = { taskId: number; attempt: number; after: string }

/** Asks for more of what an order leaves to be listed. When the server says nothing for long, the order may be an old one. */
export async function requestPending(
  connection: Connection,
  body: PageRequest,
  signal: AbortSignal,
): Promise<PendingPage> {
  const until = Date.now() + pageTimeoutMs
  const request = { subject: subjects.pending(connection.agentId), body: { ...body, run: connection.run } }
  for (let pauseMs = firstPauseMs; Date.now() < until; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const page = await requestOnce(connection, request, PendingPage, signal)
    if (page) return page
    await wait(pauseMs, undefined, { signal })
  }
  throw new RetryLater('The server does not say what is still to be listed')
}

type Request = { subject: string; body: unknown }

/** One try; undefined when there is no answer, or none that can be read. */
async function requestOnce<S extends z.ZodType>(
  { nats, log }: Connection,
  { subject, body }: Request,
  schema: S,
  signal: AbortSignal,
) {
  try {
    const answer = await abortable(nats.request(subject, JSON.stringify(body), { timeout: timeoutMs }), signal)
    return schema.parse(answer.json())
  } catch (error) {
    signal.throwIfAborted()
    if (nats.isClosed()) throw error
    log.debug({ reason: String(error), subject }, 'The server did not respond; retrying')
    return undefined
  }
}
