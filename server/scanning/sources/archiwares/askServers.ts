import { builtInAgent } from '#events/agents.ts'
import { ArchiwareAnswer, type ArchiwareQuestion } from '#events/sources/archiwareQuestion.ts'
import type { ArchiwareClient, ArchiwareCredentialOfSource, ArchiwarePlan } from '#events/sources/archiwares.ts'
import type { ConnectionCheck } from '#events/sources/sourceField.ts'
import { subjects } from '#events/subjects.ts'
import { enterAgain, isElsewhere } from '#server/platform/crud/boundSecrets.ts'
import { askAgent } from '#server/platform/nats/askAgent.ts'
import type { Platform } from '#server/platform/platform.ts'
import { Problem } from '#server/platform/problem.ts'
import { silentAgent } from '../silentAgent.ts'
import { connectionOf } from './credentials.ts'

type Services = Pick<Platform, 'db' | 'config' | 'nats'>
type Type = ArchiwareQuestion['type']
/** A P5 server by its credentials, and the agent that reaches it. */
type Server = { credentialsId: number; agentId: number }

/** Milliseconds that an agent may take to answer: a P5 server may be slow. */
const answerWithinMs = 60_000

const titles: Record<Type, string> = {
  indexes: 'Unable to get the list of archiwares',
  plans: 'Unable to get the list of archiware plans',
  clients: 'Unable to get the list of archiware clients',
}

const isReachable: ConnectionCheck = { reason: null, field: null }

/**
 * Has the built-in agent sign in with credentials that are not saved yet. A stored password only goes to its stored
 * address. Throws as `connectionOf` does.
 */
export async function checkCredentials(
  platform: Services,
  { id, draft }: ArchiwareCredentialOfSource,
): Promise<ConnectionCheck> {
  const { url, username, certificateFingerprint: fingerprint } = draft
  const stored = draft.password === null && id !== null ? await connectionOf(platform, id) : undefined
  if (stored && isElsewhere({ url: stored.url }, { url }))
    return { reason: `The password ${enterAgain}`, field: 'credentials' }
  const password = draft.password ?? stored?.password ?? ''
  const connection = { url, username, password, ...(fingerprint !== '' && { fingerprint }) }
  const options = { answer: ArchiwareAnswer, timeoutMs: answerWithinMs }
  const question: ArchiwareQuestion = { type: 'indexes', connection }
  const answer = await askAgent(platform.nats, subjects.archiware(builtInAgent), question, options)
  if (!answer) return silentAgent
  return answer.failure === null ? isReachable : { reason: answer.failure.message, field: answer.failure.field }
}

/** Throws 502 with the error of P5, and 503 if the agent doesn't respond. */
async function ask(platform: Services, type: Type, { credentialsId, agentId }: Server): Promise<ArchiwareAnswer> {
  const question: ArchiwareQuestion = { type, connection: await connectionOf(platform, credentialsId) }
  const options = { answer: ArchiwareAnswer, timeoutMs: answerWithinMs }
  const answer = await askAgent(platform.nats, subjects.archiware(agentId), question, options)
  const title = titles[type]
  if (!answer) throw new Problem(503, 'The agent does not answer', { title, debugMessage: 'The agent does not answer' })
  if (answer.failure === null) return answer
  const { message, debugMessage } = answer.failure
  throw new Problem(502, message, { code: 'archiware', title, debugMessage })
}

export const listIndexNames = async (platform: Services, server: Server): Promise<string[]> =>
  (await ask(platform, 'indexes', server)).names

export async function listPlans(platform: Services): Promise<ArchiwarePlan[]> {
  const answers = await askAll(platform, 'plans')
  return answers.flatMap(({ answer, ...reached }) => answer.plans.map((plan) => ({ ...plan, ...reached })))
}

export async function listClients(platform: Services): Promise<ArchiwareClient[]> {
  const answers = await askAll(platform, 'clients')
  return answers.flatMap(({ server: { id }, answer, ...credentials }) =>
    answer.names.map((clientName) => ({ clientName, ...credentials, server: { id } })),
  )
}

/** P5 servers of all indexes, by their credentials, with the agents that scan the indexes. */
export const archiwareServers = (db: Platform['db']) =>
  db
    .selectFrom('archiwares')
    .innerJoin('volumes', 'volumes.id', 'archiwares.volumeId')
    .innerJoin('agents', 'agents.id', 'volumes.agentId')
    .innerJoin('archiwareCredentials', 'archiwareCredentials.id', 'credentialId')
    .select(['credentialId as credentialsId', 'archiwareCredentials.name as credentialsName'])
    .select(['agents.id as agentId', 'agents.name as agentName'])
    .where('volumes.deletedAt', 'is', null)
    .distinct()
    .orderBy('credentialId')
    .orderBy('agents.id')
    .execute()

/** The answers of the P5 servers of all indexes; those that fail are left out. Throws the first failure when all fail. */
async function askAll(platform: Services, type: Type) {
  const servers = await archiwareServers(platform.db)
  const outcomes = await Promise.allSettled(
    servers.map(async ({ credentialsId: id, credentialsName, agentId, agentName }) => {
      const credentialsId = id ?? 0
      const answer = await ask(platform, type, { credentialsId, agentId })
      return { server: { id: agentId, name: agentName }, credentialsId, credentialsName, answer }
    }),
  )
  const answers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (answers.length === 0 && failed) throw failed.reason
  return answers
}
