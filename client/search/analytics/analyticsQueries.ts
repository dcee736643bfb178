import type { SearchFilters } from '#events/search/filters.ts'
import type { DateInterval } from '#events/search/calls.ts'
import type { Measure } from '#client/ui/charts/measure.ts'
import { type DateField, filtersAt, windowLength } from './dateWindow.ts'
import type { FieldCard } from './fieldCards.ts'

/** A search of a snapshot; no date is the newest. */
export type SearchAtDate = { filters: SearchFilters; indexingDate: string | undefined }

/** How many items of a field are read. By count the largest are not the first, and kinds of storage need all storages. */
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

/** What a change in the snapshot or in tags makes worth reading again. */
export const topics = ['snapshots', 'tags'] as const
