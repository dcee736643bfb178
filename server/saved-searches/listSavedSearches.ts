import { sql } from 'kysely'
import type { PageQuery } from '#events/page.ts'
import type { SavedSearch } from '#events/saved-searches.ts'
import { checkSort } from '#server/platform/checkSort.ts'
import type { Db } from '#server/platform/postgres.ts'
import type { Caller } from '#server/platform/route.ts'
import { mayChange } from './changeSavedSearch.ts'

const sortable = { name: sql`lower(saved_searches.name)`, id: sql`saved_searches.id` }

/** A page of the caller's own searches and of those that are shared. */
export async function listSavedSearches(
  db: Db,
  { page, size, sort = 'name', direction = 'asc' }: PageQuery,
  by: Caller,
) {
  checkSort(sort, sortable)
  const seen = db
    .selectFrom('savedSearches')
    .innerJoin('users', 'users.id', 'savedSearches.userId')
    .where(({ eb, or }) => or([eb('userId', '=', by.id), eb('isShared', '=', true)]))
  const rows = await seen
    .select(['savedSearches.id', 'userId', 'savedSearches.name', 'query', 'isShared', 'users.name as owner'])
    .orderBy(sortable[sort], direction)
    .orderBy('savedSearches.id', direction)
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await seen.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const elements = rows.map(({ userId, ...row }): SavedSearch => ({ ...row, mayChange: mayChange(userId, by) }))
  return { elements, page, size, total, sort, direction }
}
