import type { SearchQueryNode } from '#events/search/criteria.ts'
import { criteriaByFilter, type FilterCriteria } from '#events/search/filterCriteria.ts'
import type { SearchFilters } from '#events/search/filters.ts'
import { conditionName, type Criterion } from '#events/search/query.ts'
import type { FilterName } from '#client/parts/searched/filterNames.ts'
import { criteriaError } from '#client/parts/query-builder/criteria.ts'

/** Filters without an equivalent condition: backup dates and reports. */
export const filtersAlone = ['backupAfter', 'backupBefore', 'reports', 'report'] as const satisfies FilterName[]

/** Filters of a search as conditions, without the omitted ones. */
export const criteriaOfFilters = (filters: SearchFilters): string =>
  toJson(writtenByFilter(filters).filter(fitsInCriteria(filters)))

/** Filters that are not converted: `filtersAlone`, and those that exceed the limits of conditions. */
export const omittedFilters = (filters: SearchFilters): FilterName[] => {
  const fits = fitsInCriteria(filters)
  const omitted = writtenByFilter(filters).filter((one) => !fits(one))
  return [...filtersAlone, ...omitted.map(({ name }) => name)]
}

const writtenByFilter = (filters: SearchFilters): FilterCriteria[] =>
  criteriaByFilter(filters).filter(({ queries }) => queries.every(({ field }) => conditionName(field) !== undefined))

const written = ({ field, operators, excludes }: Criterion) => ({
  [conditionName(field) ?? field]: operators,
  ...(excludes && { excludeFilter: true }),
})
const writtenNode = ({ searchOperator, searchQueries, searchQueryNodes }: SearchQueryNode): object => ({
  searchOperator,
  searchQueries: searchQueries.map(written),
  ...(searchQueryNodes.length > 0 && { searchQueryNodes: searchQueryNodes.map(writtenNode) }),
})

const toJson = (criteria: readonly FilterCriteria[]): string =>
  JSON.stringify({
    searchOperator: 'AND',
    searchQueries: criteria.flatMap(({ queries }) => queries).map(written),
    searchQueryNodes: criteria.flatMap(({ nodes = [] }) => nodes).map(writtenNode),
  })

/**
 * Returns a predicate for the filters that fit in the criteria, which allow fewer and shorter conditions than filters.
 * Omits the longest filters first, so that as few as possible are lost. The search text is short and has priority.
 */
function fitsInCriteria(filters: SearchFilters): (one: FilterCriteria) => boolean {
  const all = writtenByFilter(filters)
  if (criteriaError(toJson(all)) === undefined) return () => true
  const lengthOf = (one: FilterCriteria) => (one.name === 'search' ? 0 : toJson([one]).length)
  let fitted: FilterCriteria[] = []
  for (const one of all.toSorted((one, other) => lengthOf(one) - lengthOf(other)))
    if (criteriaError(toJson([...fitted, one])) === undefined) fitted = [...fitted, one]
  const names = new Set(fitted.map(({ name }) => name))
  return ({ name }) => names.has(name)
}
