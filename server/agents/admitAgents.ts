import { builtInAgent } from '#events/agents.ts'
import { removeTaskConsumer, taskConsumer } from '#server/platform/nats/nats.ts'
import type { Platform } from '#server/platform/platform.ts'

/**
 * Tells NATS which agents to let in: those of the table. The row of the built-in agent is held meanwhile, so that of two
 * changes at the same moment the later one has the last word.
 */
export async function admitAgents({ db, agentDoor: { admit } }: Pick<Platform, 'db' | 'agentDoor'>): Promise<void> {
  if (!admit) return
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('agents').select('id').where('id', '=', builtInAgent).forNoKeyUpdate().execute()
    const rows = await trx
      .selectFrom('agents')
      .select(['id', 'publicKey'])
      .where('deletedAt', 'is', null)
      .orderBy('id')
      .execute()
    await admit(rows.flatMap(({ id, publicKey }) => (publicKey === null ? [] : [{ agentId: id, publicKey }])))
  })
}

/** At start: lets in the agents of the table, and gives each a queue; what is left of deleted ones is removed. */
export async function arrangeAgents(platform: Platform): Promise<void> {
  const { db, nats } = platform
  await admitAgents(platform)
  const agents = await db.selectFrom('agents').select(['id', 'deletedAt']).orderBy('id').execute()
  for (const { id, deletedAt } of agents) await (deletedAt ? removeTaskConsumer : taskConsumer)(nats, id)
}
