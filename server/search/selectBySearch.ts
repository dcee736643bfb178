import { Criteria, type SearchQueryNode } from '#events/search/criteria.ts'
import type { SearchInput } from '#events/search/searched.ts'
import { type EntrySelection, selectEntries } from '#server/entries/index.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Snapshot } from '#server/snapshots/index.ts'
import { checkExpressions } from './checkExpressions.ts'
import { selectByCriteria } from './selectByCriteria.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse'>

/**
 * The files, or the folders, of a snapshot that a search means, whichever way it was asked. Throws 400 that names each
 * expression of criteria which is none.
 */
export async function selectBySearch(
  stores: Stores,
  snapshot: Snapshot,
  searched: SearchInput,
  kind: 'files' | 'folders',
): Promise<EntrySelection> {
  if ('filters' in searched) return selectEntries(stores.db, snapshot, searched.filters, kind)
  const criteria = Criteria.parse(searched.criteria)
  await checkExpressions(stores.clickhouse, criteria)
  return selectByCriteria(stores.db, snapshot, ofKind(criteria, kind))
}

const ofKind = (criteria: SearchQueryNode, kind: 'files' | 'folders'): SearchQueryNode => ({
  searchOperator: 'AND',
  searchQueries: [{ type: 'boolean', field: 'isDirectory', operators: { value: kind === 'folders' }, excludes: false }],
  searchQueryNodes: [criteria],
})
