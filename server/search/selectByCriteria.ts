import type { Criteria, SearchQueryNode } from '#events/search/criteria.ts'
import type { Criterion } from '#events/search/query.ts'
import { type EntrySelection, isCopy } from '#server/entries/selectEntries.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { deletedAt } from '#server/snapshots/reading/deletedAt.ts'
import { entriesAt } from '#server/snapshots/reading/entriesAt.ts'
import { emptySnapshot, type Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { asksAnything, criteriaCondition } from './criteriaCondition.ts'

/** The files and folders of a snapshot that match criteria; a volume's root is not a folder in it. */
export async function selectByCriteria(db: Db, snapshot: Snapshot, criteria: Criteria): Promise<EntrySelection> {
  return {
    snapshot,
    ...(await sourceOf(db, snapshot, criteria)),
    where: sql`depth > 0 AND (${criteriaCondition(criteria, snapshot)})`,
    heavy: !isNarrow(criteria),
  }
}

/**
 * Existing entries, unless the criteria refer to deletion; then only the sides that can match. Expensive expressions
 * are computed here once, for any number of uses in the criteria.
 */
async function sourceOf(
  db: Db,
  snapshot: Snapshot,
  criteria: Criteria,
): Promise<Pick<EntrySelection, 'from' | 'deleted'>> {
  const asksCopies = mentions(criteria, 'isDupe')
  const withCopies = (from: Sql) => (asksCopies ? sql`(SELECT *, ${isCopy(snapshot)} AS is_copy FROM ${from})` : from)
  if (!mentions(criteria, 'isDeleted')) return { from: withCopies(entriesAt(snapshot)), deleted: false }
  const sides: Sql[] = []
  if (canMatch(criteria, 'isDeleted', false)) sides.push(sql`SELECT *, false AS is_deleted FROM ${entriesAt(snapshot)}`)
  if (canMatch(criteria, 'isDeleted', true))
    sides.push(sql`SELECT *, true AS is_deleted FROM ${await deletedAt(db, snapshot)}`)
  const nothing = sql`SELECT *, false AS is_deleted FROM ${entriesAt(emptySnapshot)}`
  const all = sides.length > 0 ? join(sides, ' UNION ALL ') : nothing
  return { from: withCopies(sql`(${all})`), deleted: 'each' }
}

const mentions = ({ searchQueries, searchQueryNodes }: SearchQueryNode, field: Criterion['field']): boolean =>
  searchQueries.some((criterion) => criterion.field === field) ||
  searchQueryNodes.some((inner) => mentions(inner, field))

/** Fields of folders; conditions on them match no files. */
const ofFolders: Criterion['field'][] = ['numberOfFiles', 'numberOfFolders']

/** Returns whether an entry with this value of the field can match the criteria. */
export function canMatch(
  node: SearchQueryNode,
  field: 'isDeleted' | 'isDirectory' | 'isDupe',
  value: boolean,
): boolean {
  const isPossible = (criterion: Criterion) =>
    criterion.type === 'boolean' && criterion.field === field
      ? (criterion.operators.value === value) !== criterion.excludes
      : criterion.excludes || value || field !== 'isDirectory' || !ofFolders.includes(criterion.field)
  const parts = [
    ...node.searchQueries.map(isPossible),
    ...node.searchQueryNodes.filter(asksAnything).map((inner) => canMatch(inner, field, value)),
  ]
  return node.searchOperator === 'AND' || parts.length === 0 ? parts.every(Boolean) : parts.some(Boolean)
}

/** Returns whether all possible matches are adjacent in the tables or found by their number. */
function isNarrow({ searchOperator, searchQueries, searchQueryNodes }: SearchQueryNode): boolean {
  const parts = [...searchQueries.map(narrows), ...searchQueryNodes.map(isNarrow)]
  return searchOperator === 'AND' ? parts.some(Boolean) : parts.length > 0 && parts.every(Boolean)
}

function narrows(criterion: Criterion): boolean {
  if (criterion.type !== 'string' || criterion.excludes) return false
  const { value, values, startsWith = '' } = criterion.operators
  const isNamed = value !== undefined || values !== undefined
  return (criterion.field === 'fileId' && isNamed) || (criterion.field === 'path' && (isNamed || startsWith.length > 1))
}
