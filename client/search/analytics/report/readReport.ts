import {
  type FieldTotals,
  groupingFields,
  searchDates,
  searchFields,
  searchSizes,
  type Totals,
} from '#events/search.ts'
import { call } from '../../../app/call.ts'
import { countText, counted, percentText } from '../../../ui/text/count.ts'
import { sizeWords } from '../../../ui/text/size.ts'
import { type Asked, datesAsked, fieldAsked, totalsAsked } from '../asked.ts'
import { analyticsState, shapeOf, shownOf } from '../analytics.state.ts'
import type { CardChart } from '../cardChart.ts'
import { costCard, costCharts, type Priced } from '../costChart.ts'
import { dateCards, dateChart } from '../dateChart.ts'
import { rangeOf, unitFor } from '../dateWindow.ts'
import { type FieldCard, fieldCards } from '../fieldCards.ts'
import { fieldChart } from '../fieldChart.ts'
import { type Reading, valueOf } from '../../../ui/charts/measure.ts'
import { queryFacts } from './queryFacts.ts'
import type { Fact, SearchReportProps } from './SearchReport.tsx'

export type ReportAsked = { asked: Asked; present: string; reading: Reading; volumes: readonly Priced[] }

type Fields = Record<FieldCard['fieldName'], FieldTotals[]>

/** Reads all that the report of a search shows, as the cards would show it. */
export async function readReport({ asked, present, reading, volumes }: ReportAsked): Promise<SearchReportProps> {
  const whole = await call(searchSizes, totalsAsked(asked))
  const [fields, dates] = await Promise.all([readFields(asked, reading), readDates({ asked, present, reading })])
  const { filters } = asked
  const drawn = (card: Pick<FieldCard, 'key' | 'usually'>) => ({
    shown: shownOf(analyticsState, card),
    shape: shapeOf(analyticsState, card),
  })
  const { costPeriod: period } = analyticsState
  const costs = costCharts({ answer: fields.storageName, filters, volumes, period, reading, ...drawn(costCard) })
  return {
    day: asked.indexingDate ?? present,
    query: queryFacts(filters, volumes),
    statistics: statisticsOf(whole, fields, reading),
    charts: [
      ...dates,
      ...fieldCards.map((card) =>
        fieldChart({ card, answer: fields[card.fieldName], whole, filters, volumes, reading, ...drawn(card) }),
      ),
      ...costs.charts,
    ],
  }
}

/** Several cards may count by one field: it is asked for once. */
async function readFields(asked: Asked, { measure }: Reading): Promise<Fields> {
  const read = groupingFields.map(async (fieldName) => [
    fieldName,
    await call(searchFields, fieldAsked(asked, { fieldName }, measure)),
  ])
  return Object.fromEntries(await Promise.all(read)) as Fields
}

const readDates = ({ asked, present, reading }: Omit<ReportAsked, 'volumes'>): Promise<CardChart[]> =>
  Promise.all(
    dateCards.map(async ({ field, title }) => {
      const range = rangeOf(asked.filters, field)
      const points = await call(searchDates, datesAsked(asked, field, unitFor(range, present)))
      return dateChart({ field, title, points, within: range, reading })
    }),
  )

function statisticsOf(whole: Totals, { isDupe }: Fields, { base, measure }: Reading): Fact[] {
  const duplicates = isDupe.find(({ field }) => field === 'true') ?? { count: 0, size: 0 }
  const share = percentText(valueOf(duplicates, measure) / (valueOf(whole, measure) || 1))
  return [
    ['Files', countText(whole.count)],
    ['Total size', sizeWords(whole.size, base)],
    ['Average size', whole.count > 0 ? sizeWords(whole.size / whole.count, base) : '-'],
    ['Duplicates', `${counted(duplicates.count, 'file')}, ${sizeWords(duplicates.size, base)}, ${share}`],
  ]
}
