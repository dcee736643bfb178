import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Msg } from 'nats'
import type { z } from 'zod'
import { maxAnswerBytes, tooLargeHeader } from '#events/subjects.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Nats } from './nats.ts'

const unpacked = promisify(gunzip)

/**
 * Sends a request to an agent and reads its answer; undefined without an answer within `timeoutMs`. Throws for an answer that is too large, or
 * not as the schema says.
 */
export async function askAgent<A extends z.ZodType>(
  { connection }: Pick<Nats, 'connection'>,
  subject: string,
  question: unknown,
  { answer, timeoutMs }: { answer: A; timeoutMs: number },
): Promise<z.output<A> | undefined> {
  const reply = await connection
    .request(subject, JSON.stringify(question), { timeout: timeoutMs })
    .catch(() => undefined)
  return reply && answer.parse(await read(reply))
}

async function read(reply: Msg): Promise<unknown> {
  if (reply.headers?.has(tooLargeHeader)) throw new Problem(502, "The agent's answer is too large to be sent")
  if (reply.headers?.get('Content-Encoding') !== 'gzip') return reply.json()
  const text = await unpacked(reply.data, { maxOutputLength: maxAnswerBytes })
  return JSON.parse(text.toString())
}
