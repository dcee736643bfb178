import { countQueries, type WrittenCriteria } from './criteria.ts'
import { hasFilter, type SearchFilters } from './filters.ts'

/** A search, given as the filters of a URL or as criteria. */
export type SearchInput = { filters: SearchFilters } | { criteria: WrittenCriteria }

/** True if the search has any condition. */
export const hasCondition = (searched: SearchInput): boolean =>
  'filters' in searched ? hasFilter(searched.filters) : countQueries(searched.criteria) > 0
