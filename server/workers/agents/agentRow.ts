import { sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import { checkUnique } from '#server/platform/crud/checkUnique.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'

/** Topics of a change of agents: storages and jobs show agents' names. */
export const topics = ['agents', 'sources', 'jobs'] as const

/** Agents that are not deleted. */
const living = (db: Db | Trx) => db.selectFrom('agents').where('deletedAt', 'is', null)

/** A page of the agents, including the built-in one; sorted by number by default. */
export const listAgents = (db: Db, query: PageQuery) =>
  listPage(db, living(db).select(['id', 'name']), query, {
    sortable: { id: sql`id`, name: textOrder('name') },
    sort: 'id',
  })

/** Locks the agent's row: no one changes it or assigns it to a storage until the transaction ends. */
export async function lockAgent(trx: Trx, id: number): Promise<{ name: string; publicKey: string | null }> {
  const row = living(trx).select(['name', 'publicKey']).where('id', '=', id).forUpdate()
  return (await row.executeTakeFirst()) ?? notFound('agent', id)
}

/** Throws 400 if another agent has the name, ignoring case; names of deleted agents are free. */
export const checkName = (trx: Trx, value: string, own?: number): Promise<void> =>
  checkUnique(living(trx), { value, own })
