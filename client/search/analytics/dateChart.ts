import { entryFields } from '#events/entries/fields.ts'
import { rangeFields } from '#events/search/filterRanges.ts'
import type { DateInterval, DatePoint } from '#events/search/calls.ts'
import type { ChartPart } from '#client/ui/charts/chartPart.ts'
import { counted } from '#client/ui/text/count.ts'
import { periodText, shortPeriodText } from '#client/ui/text/period.ts'
import { sizeWords } from '#client/ui/text/size.ts'
import { added, type Reading, valueOf, valueText } from '#client/ui/charts/measure.ts'
import type { CardChart, FilterChange } from './cardChart.ts'
import { type DateField, type DateRange, periodRange, rangeFilter, unitOf } from './dateWindow.ts'

export const dateCards = rangeFields('moment').flatMap((field): { field: DateField; title: string }[] => {
  const row = entryFields[field]
  if (!('condition' in row)) return []
  return [{ field: field as DateField, title: row.label.endsWith('Date') ? row.label : `${row.label} Date` }]
})

const unitWords: Record<DateInterval, string> = { YEAR: 'By year', MONTH: 'By month', WEEK: 'By week', DAY: 'By day' }

type DateChart = {
  field: DateField
  title: string
  points: DatePoint[]
  /** Filtered range, which a selected bar may not exceed. */
  within: DateRange
  reading: Reading
}

/** Files by date. */
export function dateChart({ field, title, points, within, reading }: DateChart): CardChart {
  const unit = unitOf(points.map(({ date }) => date))
  const changes = new Map<string, FilterChange>()
  for (const { date, count } of points) {
    const range = count > 0 ? periodRange(unit, date, within) : undefined
    if (range) changes.set(date, rangeFilter(field, range))
  }
  const parts = points.map((point): ChartPart => ({
    key: point.date,
    label: periodText(unit, point.date),
    short: shortPeriodText(unit, point.date),
    value: valueOf(point, reading.measure),
    text: valueText(point, reading),
    role: 'category-1',
    isPickable: changes.has(point.date),
    cells: [sizeWords(point.size, reading.base), counted(point.count, 'file')],
  }))
  const all = added(points)
  return {
    title,
    shape: 'columns',
    summary: summaryOf(title, parts, `${counted(all.count, 'file')}, ${sizeWords(all.size, reading.base)}`),
    note: unitWords[unit],
    columns: ['Period', 'Size', 'Files'],
    parts,
    total: valueText(all, reading),
    reading,
    changes,
  }
}

function summaryOf(title: string, parts: ChartPart[], whole: string): string {
  const [first, last] = [parts[0], parts.at(-1)]
  if (!first || !last) return `${title}: nothing is indexed.`
  const top = parts.reduce((top, part) => (part.value > top.value ? part : top), first)
  const peak = top.value > 0 ? ` Most in ${top.label}: ${top.text}.` : ''
  return `${title}, from ${first.label} to ${last.label}: ${whole}.${peak}`
}
