import { nkeys } from 'nats'
import type { z } from 'zod'
import type { AgentDraft, NewAgent } from '#events/agents.ts'
import { recordChange } from '#server/platform/audit.ts'
import type { Actor } from '#server/platform/eventLog.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import { taskConsumer } from '#server/platform/nats.ts'
import type { Platform } from '#server/platform/platform.ts'
import { admitAgents } from './admitAgents.ts'
import { checkName, streamOf } from './agentRow.ts'
import { introduction } from './introduction.ts'

/**
 * Adds an agent with a key of its own and a queue for its tasks. The answer is the only place where the seed ever is: the
 * table keeps the public key. Throws 400 for a name that is taken.
 */
export async function createAgent(
  platform: Platform,
  { name }: z.output<typeof AgentDraft>,
  by: Actor,
): Promise<NewAgent> {
  const { db, nats, agentDoor } = platform
  const key = nkeys.createUser()
  const publicKey = key.getPublicKey()
  const id = await db.transaction().execute(async (trx) => {
    await checkName(trx, name)
    const { id } = await trx.insertInto('agents').values({ name, publicKey }).returning('id').executeTakeFirstOrThrow()
    await taskConsumer(nats, id)
    await recordChange(trx, streamOf(id), by, { after: { name, publicKey } })
    return id
  })
  wakeFollowers()
  await admitAgents(platform)
  const seed = new TextDecoder().decode(key.getSeed())
  return { id, name, seed, ...introduction({ agentId: id, publicKey }, agentDoor) }
}
