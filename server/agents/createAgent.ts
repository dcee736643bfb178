import { streamNames } from '#events/streams.ts'
import { nkeys } from 'nats'
import type { z } from 'zod'
import type { AgentDraft, NewAgent } from '#events/agents.ts'
import { change } from '#server/platform/log/change.ts'
import type { Actor } from '#server/platform/log/eventLog.ts'
import { taskConsumer } from '#server/platform/nats/nats.ts'
import type { Platform } from '#server/platform/platform.ts'
import { admitAgents } from './admitAgents.ts'
import { checkName, topics } from './agentRow.ts'
import { type AdmittedAgent, type AgentDoor, natsAccounts } from '#server/platform/nats/agentDoor.ts'

/**
 * Adds an agent with a key of its own and a queue for its tasks. The answer is the only place where the seed ever is: the
 * table keeps the public key. Throws 400 for a name that is taken.
 */
export async function createAgent(
  platform: Platform,
  { name }: z.output<typeof AgentDraft>,
  by: Actor,
): Promise<NewAgent> {
  const { nats, agentDoor } = platform
  const key = nkeys.createUser()
  const publicKey = key.getPublicKey()
  const id = await change(platform, by, topics, async ({ trx, record }) => {
    await checkName(trx, name)
    const { id } = await trx.insertInto('agents').values({ name, publicKey }).returning('id').executeTakeFirstOrThrow()
    await taskConsumer(nats, id)
    await record(streamNames.agent(id), { after: { name, publicKey } })
    return id
  })
  await admitAgents(platform)
  const seed = new TextDecoder().decode(key.getSeed())
  return { id, name, seed, ...introduction({ agentId: id, publicKey }, agentDoor) }
}

/** What whoever starts a new agent has to know. The seed is in none of it: command lines are seen by everyone of a machine. */
function introduction(
  agent: AdmittedAgent,
  { natsUrl, admit }: AgentDoor,
): Pick<NewAgent, 'natsUrl' | 'seedFile' | 'command' | 'natsBlock'> {
  const address = withoutSignIn(natsUrl)
  const seedFile = `agent-${agent.agentId}.seed`
  return {
    natsUrl: address,
    seedFile,
    command: `AGENT_ID=${agent.agentId} NATS_URL=${quoted(address)} AGENT_SEED_FILE=${seedFile} node agent/main.ts`,
    natsBlock: admit ? null : JSON.stringify({ accounts: natsAccounts([agent]) }, undefined, 2),
  }
}

/** The address alone: a name and password in it would be the server's own. */
const withoutSignIn = (url: string): string => url.replace(/\/\/[^/@]*@/, '//')

const quoted = (word: string): string =>
  /^[\w:./,[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
