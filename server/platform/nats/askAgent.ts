import type { z } from 'zod'
import type { Nats } from './nats.ts'

/** Sends a request to an agent and reads its answer; undefined without an answer within `timeoutMs`. */
export async function askAgent<A extends z.ZodType>(
  { connection }: Pick<Nats, 'connection'>,
  subject: string,
  question: unknown,
  { answer, timeoutMs }: { answer: A; timeoutMs: number },
): Promise<z.output<A> | undefined> {
  const reply = await connection
    .request(subject, JSON.stringify(question), { timeout: timeoutMs })
    .catch(() => undefined)
  return reply && answer.parse(reply.json())
}
