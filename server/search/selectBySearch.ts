import { Criteria, type SearchQueryNode } from '#events/search/criteria.ts'
import type { SearchInput } from '#events/search/searched.ts'
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
