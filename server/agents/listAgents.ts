import { sql } from 'kysely'
import type { PageQuery } from '#events/page.ts'
import type { Db } from '#server/platform/postgres.ts'
import { invalid } from '#server/platform/problem.ts'

const sortable = { id: sql`id`, name: sql`lower(name)` }
const isSortable = (column: string): column is keyof typeof sortable => Object.hasOwn(sortable, column)

/** A page of the agents that are there, the built-in one among them; by number unless asked otherwise. */
export async function listAgents(db: Db, { page, size, sort = 'id', direction = 'asc' }: PageQuery) {
  if (!isSortable(sort)) return invalid('sort', `must be one of ${Object.keys(sortable).join(', ')}`)
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
