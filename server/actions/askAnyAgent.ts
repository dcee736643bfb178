import type { z } from 'zod'
import { builtInAgent, inactiveAfterMs } from '#events/agents.ts'
import { askAgent } from '#server/platform/nats/askAgent.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'

/** Milliseconds that an agent may take to answer: lists may have many pages. */
const answerWithinMs = 60_000

/** An answer of an agent about an external system, with the error of that system. */
type Answer = { failure: { message: string; debugMessage: string } | null }

type Question<A extends z.ZodType<Answer>> = {
  subject: (agentId: number) => string
  question: unknown
  answer: A
  /** Title of a failure. */
  title: string
  /** Code of a failure of the external system. */
  code: string
}

/**
 * Asks the connected agents one after another, until one has the answer. Throws 502 with the error of the external system, and 503 if no agent
 * responds.
 */
export async function askAnyAgent<A extends z.ZodType<Answer>>(
  { db, nats }: Pick<Platform, 'db' | 'nats'>,
  { subject, question, answer: schema, title, code }: Question<A>,
): Promise<z.output<A>> {
  let failed: Problem | undefined
  for (const agentId of await connectedAgents(db)) {
    const answer = await askAgent(nats, subject(agentId), question, { answer: schema, timeoutMs: answerWithinMs })
    if (answer?.failure === null) return answer
    if (answer?.failure) {
      const { message, debugMessage } = answer.failure
      failed ??= new Problem(502, message, { code, title, debugMessage })
    }
  }
  throw failed ?? new Problem(503, 'No agent answers', { title, debugMessage: 'No agent answers' })
}

/** Agents with a heartbeat of late, and the built-in one; the newest heartbeat first. */
async function connectedAgents(db: Platform['db']): Promise<number[]> {
  const agents = await db
    .selectFrom('agents')
    .select('id')
    .where('deletedAt', 'is', null)
    .where(({ eb, or }) =>
      or([eb('id', '=', builtInAgent), eb('lastActiveAt', '>', new Date(Date.now() - inactiveAfterMs))]),
    )
    .orderBy('lastActiveAt', (order) => order.desc().nullsLast())
    .orderBy('id')
    .execute()
  return agents.map(({ id }) => id)
}
