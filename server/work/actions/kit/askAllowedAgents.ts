import type { z } from 'zod'
import { builtInAgent, inactiveAfterMs } from '#events/agents.ts'
import { type AgentList, agentsIn } from '#events/configurations.ts'
import { configured } from '#server/access/configurations/index.ts'
import { askAgent } from '#server/platform/nats/askAgent.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'

/** Milliseconds that an agent may take to answer: lists may have many pages. */
const answerWithinMs = 60_000

/** An answer of an agent about an external system, with the error of that system. */
type Answer = { failure: { message: string; debugMessage: string } | null }

type Question<A extends z.ZodType<Answer>> = {
  /** Configuration entry with the agents that may get the secret in the question. */
  allowed: AgentList
  subject: (agentId: number) => string
  question: unknown
  answer: A
  /** Title of a failure. */
  title: string
  /** Code of a failure of the external system. */
  code: string
}

/**
 * Sends a question with the secret of an external system to the agents that an administrator allowed for it, and then to the built-in
 * one, until one has the answer. Throws 502 with the error of the external system, and 503 if no agent responds.
 */
export async function askAllowedAgents<A extends z.ZodType<Answer>>(
  { db, nats }: Pick<Platform, 'db' | 'nats'>,
  { allowed, subject, question, answer: schema, title, code }: Question<A>,
): Promise<z.output<A>> {
  let failed: Problem | undefined
  for (const agentId of await allowedAgents(db, allowed)) {
    const answer = await askAgent(nats, subject(agentId), question, { answer: schema, timeoutMs: answerWithinMs })
    if (answer?.failure === null) return answer
    if (answer?.failure) {
      const { message, debugMessage } = answer.failure
      failed ??= new Problem(502, message, { code, title, debugMessage })
    }
  }
  const message =
    'No agent that is allowed to send these requests answers. See the agents of the integration in Settings > Data.'
  throw failed ?? new Problem(503, message, { title, debugMessage: 'No agent answers' })
}

/** The allowed agents with a heartbeat of late, the newest first, and the built-in one last. */
async function allowedAgents(db: Platform['db'], name: AgentList): Promise<number[]> {
  const ids = agentsIn(await configured(db, name)).filter((id) => id !== builtInAgent)
  const agents = await db
    .selectFrom('agents')
    .select('id')
    .where('id', 'in', [0, ...ids])
    .where('deletedAt', 'is', null)
    .where('lastActiveAt', '>', new Date(Date.now() - inactiveAfterMs))
    .orderBy('lastActiveAt', 'desc')
    .execute()
  return [...agents.map(({ id }) => id), builtInAgent]
}
