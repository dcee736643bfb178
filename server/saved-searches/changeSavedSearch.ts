import type { SavedSearchDraft } from '#events/saved-searches.ts'
import { recordChange } from '#server/platform/audit.ts'
import type { Trx } from '#server/platform/eventLog.ts'
import type { Db } from '#server/platform/postgres.ts'
import { Problem, invalid, notFound } from '#server/platform/problem.ts'
import type { Caller } from '#server/platform/route.ts'

/** Whether a search of an owner can be changed by the caller, who sees it. */
export const mayChange = (ownerId: number, { id, roles }: Pick<Caller, 'id' | 'roles'>): boolean =>
  ownerId === id || roles.includes('ROLE_ADMIN')

/** Keeps a search of the caller's; returns its id. A name is given once by each user. */
export async function createSavedSearch(db: Db, draft: SavedSearchDraft, by: Caller): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .insertInto('savedSearches')
      .values({ ...draft, userId: by.id })
      .onConflict((conflict) => conflict.columns(['userId', 'name']).doNothing())
      .returning('id')
      .executeTakeFirst()
    const { id } = row ?? invalid('name', taken)
    await recordChange(trx, streamOf(id), by, { after: draft })
    return id
  })
}

export async function updateSavedSearch(db: Db, id: number, draft: SavedSearchDraft, by: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { userId, ...before } = await lockSearch(trx, id, by)
    const others = trx.selectFrom('savedSearches').select('id').where('userId', '=', userId).where('id', '<>', id)
    if (await others.where('name', '=', draft.name).executeTakeFirst()) invalid('name', taken)
    await trx.updateTable('savedSearches').set(draft).where('id', '=', id).execute()
    await recordChange(trx, streamOf(id), by, { before, after: draft })
  })
}

export async function removeSavedSearch(db: Db, id: number, by: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { userId: _, ...before } = await lockSearch(trx, id, by)
    await trx.deleteFrom('savedSearches').where('id', '=', id).execute()
    await recordChange(trx, streamOf(id), by, { before })
  })
}

const taken = 'is already the name of another saved search'
const streamOf = (id: number): string => `savedSearch-${id}`

/** What others keep for themselves is unknown to the caller; what they share, only administrators change. */
async function lockSearch(trx: Trx, id: number, by: Caller) {
  const row = await trx
    .selectFrom('savedSearches')
    .select(['userId', 'name', 'query', 'isShared'])
    .where('id', '=', id)
    .where(({ eb, or }) => or([eb('userId', '=', by.id), eb('isShared', '=', true)]))
    .forUpdate()
    .executeTakeFirst()
  if (!row) return notFound('saved search', id)
  if (!mayChange(row.userId, by)) throw new Problem(403, 'You may not do this', { code: 'permission' })
  return row
}
