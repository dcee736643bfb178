import { SearchFilters } from '#events/search/filters.ts'
import { criteriaError } from '#client/parts/query-builder/criteria.ts'
import { criteriaOfFilters } from './criteriaOfFilters.ts'

type Node = { searchOperator?: string | null; searchQueries?: object[] | null; searchQueryNodes?: object[] | null }

/**
 * Conditions that must match in addition to filters, as JSON; undefined if together they exceed the limits of conditions.
 * Filters without a value are ignored.
 */
export function narrowedCriteria(criteria: string, filters: Record<string, unknown>): string | undefined {
  const parsed: Node | object[] = JSON.parse(criteria)
  const before: Node = Array.isArray(parsed) ? { searchQueries: parsed } : parsed
  const added: Node = JSON.parse(criteriaOfFilters(SearchFilters.parse(filters)))
  const isAll = before.searchOperator !== 'OR'
  const next = JSON.stringify({
    searchOperator: 'AND',
    searchQueries: [...((isAll && before.searchQueries) || []), ...(added.searchQueries ?? [])],
    searchQueryNodes: [...(isAll ? (before.searchQueryNodes ?? []) : [before]), ...(added.searchQueryNodes ?? [])],
  })
  return criteriaError(next) === undefined ? next : undefined
}
