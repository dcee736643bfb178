import { sql } from 'kysely'
import type { z } from 'zod'
import { type AgentDraft, builtInAgent } from '#events/agents.ts'
import { endTasksOfAgent, type TaskRunners, tellOf } from '#server/jobs/index.ts'
import { recordChange } from '#server/platform/audit.ts'
import type { Actor, Trx } from '#server/platform/eventLog.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import { removeTaskConsumer } from '#server/platform/nats.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres.ts'
import { conflict } from '#server/platform/problem.ts'
import { someNames } from '#server/platform/someNames.ts'
import { admitAgents } from './admitAgents.ts'
import { checkName, lockAgent, streamOf } from './agentRow.ts'

/** Gives an agent another name; it goes on with what it does. */
export async function renameAgent(db: Db, id: number, after: z.output<typeof AgentDraft>, by: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { name } = await lockAgent(trx, id)
    await checkName(trx, after.name, id)
    await trx.updateTable('agents').set({ name: after.name }).where('id', '=', id).execute()
    await recordChange(trx, streamOf(id), by, { before: { name }, after })
  })
  wakeFollowers()
}

/**
 * Deletes an agent that no storage needs any more, ends what it was doing, and closes its connection. Throws 409 with the
 * storages that still need it.
 */
export async function removeAgent(platform: Platform, runners: TaskRunners, id: number, by: Actor): Promise<void> {
  const { db, nats, log } = platform
  if (id === builtInAgent) conflict('The built-in agent cannot be deleted')
  const ended = await db.transaction().execute(async (trx) => {
    const { name, publicKey } = await lockAgent(trx, id)
    await checkNoStorages(trx, id, name)
    const ended = await endTasksOfAgent(trx, runners, { agentId: id, reason: `The agent ${name} was deleted`, by })
    await trx
      .updateTable('agents')
      .set({ deletedAt: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    await recordChange(trx, streamOf(id), by, { before: { name, publicKey } })
    return ended
  })
  wakeFollowers()
  await admitAgents(platform)
  tellOf(runners, ended)
  await removeTaskConsumer(nats, id).catch((error: unknown) =>
    log.warn({ error, agent: id }, 'The queue of a deleted agent is removed at the next start'),
  )
}

async function checkNoStorages(trx: Trx, id: number, name: string): Promise<void> {
  const rows = await trx
    .selectFrom('volumes')
    .select('name')
    .where('agentId', '=', id)
    .where('deletedAt', 'is', null)
    .orderBy('name')
    .execute()
  if (rows.length === 0) return
  const storages = someNames(rows.map((row) => row.name))
  conflict(`Agent ${name} still scans ${storages}. Give each another agent first.`)
}
