import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Msg } from 'nats'
import type { z } from 'zod'
import type { Nats } from './nats.ts'

const unpacked = promisify(gunzip)

/** Maximum size of an answer in bytes: a hostile agent could send a small one that unpacks to very much. */
const maxAnswerBytes = 16 * 1024 ** 2

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
  if (reply.headers?.get('Content-Encoding') !== 'gzip') return reply.json()
  const text = await unpacked(reply.data, { maxOutputLength: maxAnswerBytes })
  return JSON.parse(text.toString())
}
