import type { WrittenCriteria } from './criteria.ts'
import type { SearchFilters } from './search-filters.ts'

/** What is searched for, by either way of asking: the filters of an address, or criteria. */
export type Searched = { filters: SearchFilters } | { criteria: WrittenCriteria }
