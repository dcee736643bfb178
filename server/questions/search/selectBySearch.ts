import { Criteria } from '#events/search/criteria.ts'
import type { SearchSelection } from '#events/selections.ts'
import { type FoundEntries, selectByCriteria, selectEntries } from '#server/content/entries/selectEntries.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { checkExpressions } from './checkExpressions.ts'

/**
 * The files, or the folders, of a snapshot that match a search by filters or criteria. Throws 400 with every invalid
 * regular expression.
 */
export async function selectBySearch(
  stores: Pick<Platform, 'db' | 'clickhouse'>,
  snapshot: Snapshot,
  search: SearchSelection,
): Promise<FoundEntries> {
  const kind = search.isDirectory ? 'folders' : 'files'
  if ('filters' in search) return selectEntries(stores, snapshot, search.filters, kind)
  const criteria = Criteria.parse(search.criteria)
  await checkExpressions(stores.clickhouse, criteria)
  return selectByCriteria(stores.db, snapshot, criteria, { kind })
}
