import type { SearchFilters } from '#events/search-filters.ts'
import type { DateField } from './dateWindow.ts'
import { filtersAt } from './dateWindow.ts'
import type { DateInterval } from '#events/search.ts'
import type { FieldCard } from './fieldCards.ts'
import { windowLength } from './dateWindow.ts'
import type { Measure } from '../../ui/charts/measure.ts'

/** A search of a snapshot; no date is the newest. */
export type Asked = { filters: SearchFilters; indexingDate: string | undefined }

/** How many items of a field are read. By count the largest are not the first, and kinds of storage need all storages. */
const usuallyRead = 50
const mostRead = 1_000

export const totalsAsked = ({ filters, indexingDate }: Asked) => ({ query: { ...filters, indexingDate } })

export const fieldAsked = (
  { filters, indexingDate }: Asked,
  { fieldName }: Pick<FieldCard, 'fieldName'>,
  measure: Measure,
) => {
  const size = measure === 'count' || fieldName === 'storageName' ? mostRead : usuallyRead
  return { query: { ...filters, indexingDate, fieldName, size } }
}

export const datesAsked = (
  { filters, indexingDate }: Asked,
  dateField: DateField,
  dateIntervalType: DateInterval,
  movedTo?: string,
) => {
  const moved = movedTo === undefined ? filters : filtersAt(filters, dateField, dateIntervalType, movedTo)
  return { query: { ...moved, indexingDate, dateField, dateIntervalType, size: windowLength } }
}

/** What a change in the snapshot or in tags makes worth reading again. */
export const topics = ['snapshots', 'tags'] as const
