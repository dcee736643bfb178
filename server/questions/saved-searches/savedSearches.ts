import { streamNames } from '#events/streams.ts'
import type { SavedSearch, SavedSearchDraft } from '#events/search/savedSearches.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { invalid, notFound, Problem } from '#server/platform/problem.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { type ExpressionBuilder, sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import { checkStored } from '#server/platform/crud/checkStored.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'

/** Returns whether the caller, who can see an owner's search, can change it. */
const mayChange = (ownerId: number | null, { id, roles }: Pick<Caller, 'id' | 'roles'>): boolean =>
  ownerId === id || roles.includes('ROLE_ADMIN')

/**
 * Condition: the search is one of the caller's, or shared. Users with limits see only their own, because the names and paths of others may be
 * those of folders that they don't see.
 */
const isSeen =
  ({ id, scope }: Caller) =>
  ({ eb, or }: ExpressionBuilder<Tables, 'savedSearches'>) =>
    or([eb('userId', '=', id), ...(scope === 'everything' ? [eb('isShared', '=', true)] : [])])

/** Adds a saved search of the caller; returns its id. Names are unique per user. Throws 429 above the user's limit. */
export async function createSavedSearch({ trx, by, record }: Change<Caller>, draft: SavedSearchDraft): Promise<number> {
  await checkStored(trx, by, 'savedSearchesPerUser', trx.selectFrom('savedSearches').where('userId', '=', by.id))
  const row = await trx
    .insertInto('savedSearches')
    .values({ ...draft, userId: by.id })
    .onConflict((conflict) => conflict.columns(['userId', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  const { id } = row ?? invalid('name', taken)
  await record(streamNames.savedSearch(id), { after: draft })
  return id
}

/** Changes a search. That of a deleted user becomes the caller's. */
export async function updateSavedSearch(
  { trx, by, record }: Change<Caller>,
  id: number,
  draft: SavedSearchDraft,
): Promise<void> {
  const { userId: owner, ...before } = await lockSearch(trx, id, by)
  const userId = owner ?? by.id
  const others = trx.selectFrom('savedSearches').select('id').where('userId', '=', userId).where('id', '<>', id)
  if (await others.where('name', '=', draft.name).executeTakeFirst()) invalid('name', taken)
  await trx
    .updateTable('savedSearches')
    .set({ ...draft, userId })
    .where('id', '=', id)
    .execute()
  await record(streamNames.savedSearch(id), { before, after: draft })
}

export async function removeSavedSearch({ trx, by, record }: Change<Caller>, id: number): Promise<void> {
  const { userId: _, ...before } = await lockSearch(trx, id, by)
  await trx.deleteFrom('savedSearches').where('id', '=', id).execute()
  await record(streamNames.savedSearch(id), { before })
}

const taken = 'is already the name of another saved search'
/** Private searches of others are reported as unknown; shared ones can only be changed by administrators. */
async function lockSearch(trx: Trx, id: number, by: Caller) {
  const row = await trx
    .selectFrom('savedSearches')
    .select(['userId', 'name', 'query', 'isShared'])
    .where('id', '=', id)
    .where(isSeen(by))
    .forUpdate()
    .executeTakeFirst()
  if (!row) return notFound('saved search', id)
  if (!mayChange(row.userId, by)) throw new Problem(403, "You don't have permission to do this", { code: 'permission' })
  return row
}

const sortable = { name: textOrder('savedSearches.name'), id: sql`saved_searches.id` }

/** A page of the caller's own searches and of shared ones. */
export const listSavedSearches = (db: Db, query: PageQuery, by: Caller) =>
  listPage(
    db,
    db
      .selectFrom('savedSearches')
      .where(isSeen(by))
      .leftJoin('users', 'users.id', 'savedSearches.userId')
      .select(['savedSearches.id', 'userId', 'savedSearches.name', 'query', 'isShared', 'users.name as owner']),
    query,
    { sortable, sort: 'name', tie: 'savedSearches.id' },
    ({ userId, ...row }): SavedSearch => ({ ...row, mayChange: mayChange(userId, by) }),
  )
