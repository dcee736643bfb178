import type { DateInterval } from '#events/search/calls.ts'
import type { WrittenCriteria } from '#events/search/criteria.ts'
import type { SearchFilters } from '#events/search/filters.ts'
import { entryFields, type FieldsWith } from '#events/entries/fields.ts'
import { type DateField as FilteredDate, filterRanges } from '#events/search/filterRanges.ts'
import { dayOn } from '#events/search/relativeDays.ts'
import type { SearchInput } from '#events/search/searched.ts'

/** Number of periods in a date chart. */
export const windowLength = 13
/** Older dates are counted as 1970. */
const beginning = '1970-01-01'

/** Dates with a chart: those that conditions can have. */
export type DateField = Extract<FilteredDate, FieldsWith<{ condition: string }>>

/** First day of the range, and the first day after it. */
export type DateRange = { after: string | undefined; before: string | undefined }

/** Range of a search in the snapshot of a day: relative days become days of the chart. */
export function rangeOf(searched: SearchInput, field: DateField, snapshotDay: string): DateRange {
  const { after, before } =
    'filters' in searched ? filteredRange(searched.filters, field) : conditionedRange(searched.criteria, field)
  const dayOf = (searched: string | undefined) => searched && dayOn(searched, snapshotDay)
  return { after: dayOf(after), before: dayOf(before) }
}

function filteredRange(filters: SearchFilters, field: DateField): DateRange {
  const [after, before] = filterRanges[field]
  return { after: filters[after], before: filters[before] }
}

/** The range that conditions limit all matches to: that of the conditions that must match, not of alternatives. */
function conditionedRange({ searchOperator, searchQueries }: WrittenCriteria, field: DateField): DateRange {
  const ranges = searchQueries
    .filter(({ excludeFilter }) => !excludeFilter && searchOperator === 'AND')
    .flatMap((query) => query[entryFields[field].condition] ?? [])
  return {
    after: ranges.findLast(({ after }) => after !== undefined)?.after,
    before: ranges.findLast(({ before }) => before !== undefined)?.before,
  }
}

/** Unit for a range; `present` is the last possible day. */
export function unitFor({ after, before }: DateRange, present: string): DateInterval {
  const end = before ?? stepped('DAY', present, 1)
  const days = after === undefined ? 0 : (momentOf(end) - momentOf(after)) / day
  if (days > 400 || days <= 0) return 'YEAR'
  return days > 91 ? 'MONTH' : days > 13 ? 'WEEK' : 'DAY'
}

/** Unit of consecutive periods. */
export function unitOf(starts: readonly string[]): DateInterval {
  const [first, second] = starts
  if (first === undefined || second === undefined) return 'YEAR'
  const days = (momentOf(second) - momentOf(first)) / day
  return days === 1 ? 'DAY' : days === 7 ? 'WEEK' : days < 40 ? 'MONTH' : 'YEAR'
}

/** First day of the last period in the initial window of a range. */
export const lastPeriod = (unit: DateInterval, { before }: DateRange, present: string): string =>
  startOf(unit, before === undefined ? present : stepped('DAY', before, -1))

/** Last periods of the previous and the next window; undefined without such a window. */
export function neighbours(unit: DateInterval, last: string, present: string) {
  const newest = startOf(unit, present)
  const next = stepped(unit, last, windowLength)
  return {
    previous: stepped(unit, last, 1 - windowLength) <= beginning ? undefined : stepped(unit, last, -windowLength),
    next: last >= newest ? undefined : next > newest ? newest : next,
  }
}

/** Filters for a window that ends with a period. The window may be outside the filtered range. */
export function filtersAt(filters: SearchFilters, field: DateField, unit: DateInterval, last: string): SearchFilters {
  const [after, before] = filterRanges[field]
  return { ...filters, [after]: undefined, [before]: endOfWindow(unit, last) }
}

/** First day after a window that ends with a period. */
export const endOfWindow = (unit: DateInterval, last: string): string => stepped(unit, last, 1)

/** Days of a period within a range; undefined if the period is outside the range. */
export function periodRange(unit: DateInterval, first: string, within: DateRange): Required<DateRange> | undefined {
  const end = stepped(unit, first, 1)
  const after = within.after !== undefined && within.after > first ? within.after : first
  const before = within.before !== undefined && within.before < end ? within.before : end
  return after < before ? { after, before } : undefined
}

/** A range as filters. */
export function rangeFilter(field: DateField, { after, before }: DateRange) {
  const [afterName, beforeName] = filterRanges[field]
  return { [afterName]: after, [beforeName]: before }
}

const day = 86_400_000
const momentOf = (text: string) => Date.parse(`${text}T00:00:00Z`)
const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)

/** First day of the period that contains a day. Weeks start on Monday. */
function startOf(unit: DateInterval, text: string): string {
  if (unit === 'YEAR') return `${text.slice(0, 4)}-01-01`
  if (unit === 'MONTH') return `${text.slice(0, 7)}-01`
  const weekday = (new Date(momentOf(text)).getUTCDay() + 6) % 7
  return unit === 'WEEK' ? stepped('DAY', text, -weekday) : text
}

/** First day of a later period, `by` periods after the given one. */
export function stepped(unit: DateInterval, text: string, by: number): string {
  if (unit === 'DAY') return dayOf(momentOf(text) + by * day)
  if (unit === 'WEEK') return dayOf(momentOf(text) + by * 7 * day)
  const moment = new Date(momentOf(text))
  if (unit === 'MONTH') moment.setUTCMonth(moment.getUTCMonth() + by)
  else moment.setUTCFullYear(moment.getUTCFullYear() + by)
  return dayOf(moment.getTime())
}
