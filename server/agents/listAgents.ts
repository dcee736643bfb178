import { sql } from 'kysely'
import type { PageQuery } from '#events/page.ts'
import { checkSort } from '#server/platform/checkSort.ts'
import type { Db } from '#server/platform/postgres.ts'

const sortable = { id: sql`id`, name: sql`lower(name)` }

/** A page of the agents that are there, the built-in one among them; by number unless asked otherwise. */
export async function listAgents(db: Db, { page, size, sort = 'id', direction = 'asc' }: PageQuery) {
  checkSort(sort, sortable)
  const agents = db.selectFrom('agents').where('deletedAt', 'is', null)
  const elements = await agents
    .select(['id', 'name'])
    .orderBy(sortable[sort], direction)
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await agents.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { elements, page, size, total, sort, direction }
}
