import { Criteria, type SearchQueryNode } from '#events/search/criteria.ts'
import type { SearchSelection } from '#events/selections.ts'
import { type EntrySelection, selectEntries } from '#server/entries/selectEntries.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { checkExpressions } from './checkExpressions.ts'
import { selectByCriteria } from './selectByCriteria.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse'>

/**
 * The files, or the folders, of a snapshot that match a search by filters or criteria. Throws 400 with every invalid
 * regular expression.
 */
export async function selectBySearch(
  stores: Stores,
  snapshot: Snapshot,
  search: SearchSelection,
): Promise<EntrySelection> {
  const { isDirectory } = search
  if ('filters' in search) return selectEntries(stores, snapshot, search.filters, isDirectory ? 'folders' : 'files')
  const criteria = Criteria.parse(search.criteria)
  await checkExpressions(stores.clickhouse, criteria)
  return selectByCriteria(stores.db, snapshot, ofKind(criteria, isDirectory))
}

/** Criteria that match only files, or only folders. */
export const ofKind = (criteria: SearchQueryNode, isDirectory: boolean): SearchQueryNode => ({
  searchOperator: 'AND',
  searchQueries: [{ type: 'boolean', field: 'isDirectory', operators: { value: isDirectory }, excludes: false }],
  searchQueryNodes: [criteria],
})
