import { streamNames } from '#events/streams.ts'
import { nkeys } from 'nats'
import type { z } from 'zod'
import type { AgentDraft, NewAgent } from '#events/agents.ts'
import type { Actor } from '#server/platform/log/eventLog.ts'
import { removeTaskConsumers, taskConsumers } from '#server/platform/nats/nats.ts'
import type { Platform } from '#server/platform/platform.ts'
import { changeAdmission } from './admitAgents.ts'
import { hashOfTrustedCertificate } from './agentPackage.ts'
import { checkName } from './agentRow.ts'
import { type AdmittedAgent, type AgentDoor, natsAccounts } from '#server/platform/nats/agentDoor.ts'

/**
 * Adds an agent with its own key and a queue for its tasks. Only the response contains the seed; the table has the
 * public key. Throws 400 for a duplicate name, and 503 if NATS doesn't admit the agent: then it isn't added.
 */
export async function createAgent(
  platform: Platform,
  { name }: z.output<typeof AgentDraft>,
  by: Actor,
): Promise<NewAgent> {
  const { nats, agentDoor, config, log } = platform
  const key = nkeys.createUser()
  const publicKey = key.getPublicKey()
  let queueOf: number | undefined
  try {
    const id = await changeAdmission(platform, by, async ({ trx, record, admit }) => {
      await checkName(trx, name)
      const { id } = await trx
        .insertInto('agents')
        .values({ name, publicKey })
        .returning('id')
        .executeTakeFirstOrThrow()
      await admit()
      await taskConsumers(nats, id)
      queueOf = id
      await record(streamNames.agent(id), { after: { name, publicKey } })
      return id
    })
    const seed = new TextDecoder().decode(key.getSeed())
    const caSha256 = hashOfTrustedCertificate(config)
    return { id, name, seed, caSha256, ...introduction({ agentId: id, publicKey }, agentDoor) }
  } catch (error) {
    if (queueOf !== undefined)
      await removeTaskConsumers(nats, queueOf).catch((error: unknown) =>
        log.warn({ error, agent: queueOf }, 'The queue of an agent that was not added remains'),
      )
    throw error
  }
}

/** Instructions to start a new agent, without its seed: everyone on a machine can see command lines. */
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

/** Removes the name and password of the server from an address. */
const withoutSignIn = (url: string): string => url.replace(/\/\/[^/@]*@/, '//')

const quoted = (word: string): string =>
  /^[\w:./,[\]-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
