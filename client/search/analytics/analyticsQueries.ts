import type { SearchFilters } from '#events/search/filters.ts'
import type { DateInterval } from '#events/search/calls.ts'
import type { Measure } from '#client/ui/charts/measure.ts'
import { type DateField, filtersAt, windowLength } from './dateWindow.ts'
import type { FieldCard } from './fieldCards.ts'

/** A search in a snapshot; without date, in the newest. */
export type SearchAtDate = { filters: SearchFilters; indexingDate: string | undefined }

/**
 * Number of items to fetch per field. More are needed by count, since items are sorted by size, and for kinds of
 * storage, which need all storages.
 */
const defaultRead = 50
const maxRead = 1_000

export const totalsInput = ({ filters, indexingDate }: SearchAtDate) => ({ query: { ...filters, indexingDate } })

export const fieldInput = (
  { filters, indexingDate }: SearchAtDate,
  { fieldName }: Pick<FieldCard, 'fieldName'>,
  measure: Measure,
) => {
  const size = measure === 'count' || fieldName === 'storageName' ? maxRead : defaultRead
  return { query: { ...filters, indexingDate, fieldName, size } }
}

export const datesInput = (
  { filters, indexingDate }: SearchAtDate,
  dateField: DateField,
  dateIntervalType: DateInterval,
  windowEnd?: string,
) => {
  const moved = windowEnd === undefined ? filters : filtersAt(filters, dateField, dateIntervalType, windowEnd)
  return { query: { ...moved, indexingDate, dateField, dateIntervalType, size: windowLength } }
}

export const topics = ['snapshots', 'tags'] as const
