import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Msg } from 'nats'
import type { z } from 'zod'
import { cleanLine } from '#events/contract/cleanText.ts'
import { readOutside } from '#events/contract/readOutside.ts'
import { measureJson, TooLong } from '#events/node/jsonMeter.ts'
import { readJson } from '#events/node/readJson.ts'
import { maxAnswerBytes, refusedHeader, tooLargeHeader } from '#events/subjects.ts'
import { Problem } from '#server/platform/problem.ts'
import type { Nats } from './nats.ts'

const unpacked = promisify(gunzip)

/**
 * Sends a request to an agent and reads its answer; undefined without an answer within `timeoutMs`. Throws 502 for an answer that is too
 * large, or not as the schema says, and the reason of an agent that refuses the request. An answer is measured before it is parsed, a
 * large one is parsed by another process, and validation stops at the first fault: agents may be hostile.
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
  if (!reply) return undefined
  const { data, error } = readOutside(answer, await read(reply))
  if (!error) return data
  const [issue] = error.issues
  throw unusable(`${issue?.path.join('.') || 'it'}: ${issue?.message}`)
}

async function read(reply: Msg): Promise<unknown> {
  const { headers } = reply
  if (headers?.has(tooLargeHeader)) throw new Problem(502, "The agent's answer is too large to be sent")
  if (headers?.has(refusedHeader)) throw new Problem(502, cleanLine(reply.string(), maxReason))
  try {
    const isPacked = headers?.get('Content-Encoding') === 'gzip'
    const bytes = isPacked ? await unpacked(reply.data, { maxOutputLength: maxAnswerBytes }) : reply.data
    measureJson(bytes)
    return await readJson(bytes)
  } catch (error) {
    throw unusable(faultOf(error))
  }
}

/** Characters of the reason of an agent that refuses a request. */
const maxReason = 1_000

const unusable = (fault: string): Problem =>
  new Problem(502, `The agent's answer can't be used (${fault}). Check that the agent has the version of this server`)

function faultOf(error: unknown): string {
  if (error instanceof TooLong) return error.message
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ERR_BUFFER_TOO_LARGE') return `it is larger than ${maxAnswerBytes / 1024 ** 2} MB`
  return error instanceof SyntaxError ? 'it is not JSON' : 'it does not unpack'
}
