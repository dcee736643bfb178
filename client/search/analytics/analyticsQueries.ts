import { searchEntriesMedia, searchMedia } from '#events/media/found.ts'
import { type DateInterval, searchDates, searchFields, searchSizes } from '#events/search/calls.ts'
import { searchEntriesDates, searchEntriesFields, searchEntriesSizes } from '#events/search/criteria.ts'
import { noFilters, type SearchFilters } from '#events/search/filters.ts'
import type { Measure } from '#client/ui/charts/measure.ts'
import { type DateField, endOfWindow, filtersAt, rangeOf, windowLength } from './dateWindow.ts'
import type { FieldCard } from './fieldCards.ts'
import { requestOf, type SearchAtDate } from './searchRequest.ts'

/** Filters of a search; conditions have none. */
export const filtersOf = ({ searched }: Pick<SearchAtDate, 'searched'>): SearchFilters =>
  'filters' in searched ? searched.filters : noFilters

/**
 * Number of items to fetch per field. More are needed by count, since items are sorted by size, and for kinds of
 * storage, which need all storages.
 */
const defaultRead = 50
const maxRead = 1_000

export const totalsRequest = (search: SearchAtDate) => requestOf(search, searchSizes, searchEntriesSizes)
export const mediaRequest = (search: SearchAtDate) => requestOf(search, searchMedia, searchEntriesMedia)

export function fieldRequest(search: SearchAtDate, { fieldName }: Pick<FieldCard, 'fieldName'>, measure: Measure) {
  const size = measure === 'count' || fieldName === 'storageName' ? maxRead : defaultRead
  return requestOf(search, searchFields, searchEntriesFields, { fieldName, size })
}

type DateWindow = {
  dateField: DateField
  dateIntervalType: DateInterval
  /** First day of the last period, if the user moved the window. */
  windowEnd?: string | undefined
}

/** Conditions don't move with the window, so its end is sent with them. */
export function datesRequest(
  search: SearchAtDate,
  { dateField, dateIntervalType, windowEnd }: DateWindow,
  day: string,
) {
  const query = { dateField, dateIntervalType, size: windowLength }
  if ('filters' in search.searched) {
    const { filters } = search.searched
    const moved = windowEnd === undefined ? filters : filtersAt(filters, dateField, dateIntervalType, windowEnd)
    return requestOf({ ...search, searched: { filters: moved } }, searchDates, searchEntriesDates, query)
  }
  const before =
    windowEnd === undefined ? rangeOf(search.searched, dateField, day).before : endOfWindow(dateIntervalType, windowEnd)
  return requestOf(search, searchDates, searchEntriesDates, { ...query, before })
}
