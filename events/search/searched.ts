import { countQueries, type WrittenCriteria } from './criteria.ts'
import { hasFilter, type SearchFilters } from './filters.ts'

/** What is searched for, by either way of asking: the filters of an address, or criteria. */
export type Searched = { filters: SearchFilters } | { criteria: WrittenCriteria }

/** Whether a search leaves anything out. */
export const hasCondition = (searched: Searched): boolean =>
  'filters' in searched ? hasFilter(searched.filters) : countQueries(searched.criteria) > 0
