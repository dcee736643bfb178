import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { z } from 'zod'
import { protocolVersion } from '#events/agents.ts'
import { PendingPage, TaskAnswer, type TaskRequest } from '#events/tasks.ts'
import { subjects } from '#events/subjects.ts'
import { abortable } from './abortable.ts'
import type { Connection } from './connection.ts'
import { RetryLater } from './execution.ts'

/**
 * Timeout of a request, limits of the delay between attempts, and the total time for a page. The timeout is also the
 * time to notice that no server is subscribed: nats-server does not report that across accounts.
 */
const timeoutMs = 10_000
const minDelayMs = 250
const maxDelayMs = 5_000
const pageTimeoutMs = 5 * 60_000

type StartAnswer = Exclude<TaskAnswer, { type: 'later' }>

/** A task to start, and the reason why its last execution failed, if it did. */
type TaskToStart = { taskId: number; failure: string | undefined }

/** Requests the start of a task, retrying until the server can answer. */
export async function requestTask(
  connection: Connection,
  task: TaskToStart,
  signal: AbortSignal,
): Promise<StartAnswer> {
  const { agentId, run } = connection
  const body: z.input<typeof TaskRequest> = { ...task, run, protocol: protocolVersion, request: randomUUID() }
  const request = { subject: subjects.startTask(agentId), body }
  for (let delayMs = minDelayMs; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    const answer = await requestOnce(connection, request, TaskAnswer, signal)
    if (answer && answer.type !== 'later') return answer
    await wait(delayMs, undefined, { signal })
  }
}

type PendingPageRequest = { taskId: number; attempt: number; after: string }

/**
 * Requests the next page of an order's pending paths. Gives up after `pageTimeoutMs`, because the order may be
 * outdated.
 */
export async function requestPending(
  connection: Connection,
  body: PendingPageRequest,
  signal: AbortSignal,
): Promise<PendingPage> {
  const until = Date.now() + pageTimeoutMs
  const request = { subject: subjects.pending(connection.agentId), body: { ...body, run: connection.run } }
  for (let delayMs = minDelayMs; Date.now() < until; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    const page = await requestOnce(connection, request, PendingPage, signal)
    if (page) return page
    await wait(delayMs, undefined, { signal })
  }
  throw new RetryLater('The server did not send the pending folders')
}

/** Sends a request until the server answers it. */
export async function requestUntilAnswered<S extends z.ZodType>(
  connection: Connection,
  request: Request,
  schema: S,
  signal: AbortSignal,
): Promise<z.output<S>> {
  for (let delayMs = minDelayMs; ; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
    const answer = await requestOnce(connection, request, schema, signal)
    if (answer !== undefined) return answer
    await wait(delayMs, undefined, { signal })
  }
}

type Request = { subject: string; body: unknown; timeoutMs?: number }

/** Sends a request once. Returns undefined without a valid response. */
async function requestOnce<S extends z.ZodType>(
  { nats, log }: Connection,
  { subject, body, timeoutMs: timeout = timeoutMs }: Request,
  schema: S,
  signal: AbortSignal,
) {
  try {
    const answer = await abortable(nats.request(subject, JSON.stringify(body), { timeout }), signal)
    return schema.parse(answer.json())
  } catch (error) {
    signal.throwIfAborted()
    if (nats.isClosed()) throw error
    log.debug({ reason: String(error), subject }, 'no response from the server, will retry')
    return undefined
  }
}
