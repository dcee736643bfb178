import { SearchFilters } from '#events/search/filters.ts'
import { criteriaError } from '#client/parts/query-builder/criteria.ts'
import { criteriaOfFilters } from './criteriaOfFilters.ts'

type Node = { searchOperator?: string | null; searchQueries?: object[] | null; searchQueryNodes?: object[] | null }

/**
 * Conditions that must match in addition to filters, as JSON; undefined if together they exceed the limits of conditions.
 * Filters without a value are ignored.
 */
export function narrowedCriteria(criteria: string, filters: Record<string, unknown>): string | undefined {
  const added: Node = JSON.parse(criteriaOfFilters(SearchFilters.parse(filters)))
  const { searchQueries, searchQueryNodes } = allOf(criteria)
  const next = JSON.stringify({
    searchOperator: 'AND',
    searchQueries: [...searchQueries, ...(added.searchQueries ?? [])],
    searchQueryNodes: [...searchQueryNodes, ...(added.searchQueryNodes ?? [])],
  })
  return criteriaError(next) === undefined ? next : undefined
}

/** Conditions as those that must all match. */
function allOf(criteria: string) {
  const parsed: Node | object[] = JSON.parse(criteria)
  const node: Node = Array.isArray(parsed) ? { searchQueries: parsed } : parsed
  if (node.searchOperator === 'OR') return { searchOperator: 'AND', searchQueries: [], searchQueryNodes: [node] }
  const { searchQueries, searchQueryNodes } = node
  return { searchOperator: 'AND', searchQueries: searchQueries ?? [], searchQueryNodes: searchQueryNodes ?? [] }
}

const isSame = (query: object) => (other: object) => JSON.stringify(other) === JSON.stringify(query)

/** Conditions and one more, as JSON. */
export const withCondition = (criteria: string, query: object): string => {
  const { searchQueries, ...others } = allOf(criteria)
  return JSON.stringify({ ...others, searchQueries: [...searchQueries, query] })
}

/** Conditions without one of those that must all match, as JSON. */
export const withoutCondition = (criteria: string, query: object): string => {
  const { searchQueries, ...others } = allOf(criteria)
  return JSON.stringify({ ...others, searchQueries: searchQueries.filter((one) => !isSame(query)(one)) })
}

/** True if a condition is among those that must all match. */
export const hasCondition = (criteria: string, query: object): boolean =>
  allOf(criteria).searchQueries.some(isSame(query))
