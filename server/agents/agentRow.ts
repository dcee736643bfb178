import { sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import { checkUnique } from '#server/platform/crud/checkUnique.ts'
import { listPage } from '#server/platform/crud/listPage.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'

/** What a change of agents reaches: storages and jobs show the names of their agents. */
export const topics = ['agents', 'sources', 'jobs'] as const

/** Those that were not deleted. */
const living = (db: Db | Trx) => db.selectFrom('agents').where('deletedAt', 'is', null)

/** A page of the agents that are there, the built-in one among them; by number unless asked otherwise. */
export const listAgents = (db: Db, query: PageQuery) =>
  listPage(db, living(db).select(['id', 'name']), query, {
    sortable: { id: sql`id`, name: sql`lower(name)` },
    sort: 'id',
  })

/** The row, which nobody else changes, and to which nobody gives a storage, until the transaction is over. */
export async function lockAgent(trx: Trx, id: number): Promise<{ name: string; publicKey: string | null }> {
  const row = living(trx).select(['name', 'publicKey']).where('id', '=', id).forUpdate()
  return (await row.executeTakeFirst()) ?? notFound('agent', id)
}

/** Throws 400 for a name that another agent has, whatever its case; a deleted one has none any more. */
export const checkName = (trx: Trx, value: string, own?: number): Promise<void> =>
  checkUnique(living(trx), { value, own })
