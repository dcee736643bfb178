import { streamNames } from '#events/streams.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { type AgentDraft, builtInAgent } from '#events/agents.ts'
import { giveUpTasksOfAgent, notifyRunners, type TaskHandlers } from '#server/workers/tasks/index.ts'
import { checkUnused } from '#server/platform/crud/checkUnused.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Actor } from '#server/platform/log/eventLog.ts'
import { removeTaskConsumers } from '#server/platform/nats/nats.ts'
import type { Platform } from '#server/platform/platform.ts'
import { conflict } from '#server/platform/problem.ts'
import { changeAdmission } from './admitAgents.ts'
import { checkName, lockAgent } from './agentRow.ts'

export async function renameAgent(
  { trx, record }: Change,
  id: number,
  after: z.output<typeof AgentDraft>,
): Promise<void> {
  const { name } = await lockAgent(trx, id)
  await checkName(trx, after.name, id)
  await trx.updateTable('agents').set({ name: after.name }).where('id', '=', id).execute()
  await record(streamNames.agent(id), { before: { name }, after })
}

/**
 * Deletes an agent that no storage needs, ends its tasks, and closes its connection. Throws 409 with the storages that
 * need it, and 503 if NATS doesn't confirm that it no longer admits the agent: then it isn't deleted.
 */
export async function removeAgent(platform: Platform, handlers: TaskHandlers, id: number, by: Actor): Promise<void> {
  const { nats, log } = platform
  if (id === builtInAgent) conflict('The built-in agent cannot be deleted')
  const ended = await changeAdmission(platform, by, async ({ trx, record, admit }) => {
    const { name, publicKey } = await lockAgent(trx, id)
    await checkUnused(
      trx.selectFrom('volumes').select('name').where('agentId', '=', id).where('deletedAt', 'is', null).execute(),
      (storages) => `Agent ${name} still scans ${storages}. Assign another agent to each first.`,
    )
    await trx
      .updateTable('agents')
      .set({ deletedAt: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    await admit()
    const ended = await giveUpTasksOfAgent(trx, handlers, { agentId: id, reason: `The agent ${name} was deleted`, by })
    await record(streamNames.agent(id), { before: { name, publicKey } })
    return ended
  })
  notifyRunners(handlers, ended)
  await removeTaskConsumers(nats, id).catch((error: unknown) =>
    log.warn({ error, agent: id }, 'The queue of a deleted agent is removed at the next start'),
  )
}
