import { searchDates, searchFields, searchSizes, type Totals } from '#events/search.ts'
import { call } from '../../../app/call.ts'
import { countText, counted, percentText } from '../../../ui/text/count.ts'
import { sizeWords } from '../../../ui/text/size.ts'
import { type Asked, datesAsked, fieldAsked, totalsAsked } from '../asked.ts'
import { analyticsState, shapeOf, shownOf } from '../analytics.state.ts'
import type { CardChart } from '../cardChart.ts'
import { costCard, costCharts, type Priced } from '../costChart.ts'
import { dateCards, dateChart } from '../dateChart.ts'
import { rangeOf, unitFor } from '../dateWindow.ts'
import { fieldCards, storagesCard } from '../fieldCards.ts'
import { fieldChart } from '../fieldChart.ts'
import type { Reading } from '../../../ui/charts/measure.ts'
import { queryFacts } from './queryFacts.ts'
import type { Fact, SearchReportProps } from './SearchReport.tsx'

export type ReportAsked = { asked: Asked; present: string; reading: Reading; volumes: readonly Priced[] }

/** Reads all that the report of a search shows, as the cards would show it. */
export async function readReport({ asked, present, reading, volumes }: ReportAsked): Promise<SearchReportProps> {
  const whole = await call(searchSizes, totalsAsked(asked))
  const dates = dateCards.map(async ({ field, title }) => {
    const range = rangeOf(asked.filters, field)
    const points = await call(searchDates, datesAsked(asked, field, unitFor(range, present)))
    return dateChart({ field, title, points, within: range, reading })
  })
  const fields = fieldCards.map(async (card) => {
    const answer = await call(searchFields, fieldAsked(asked, card, reading.measure))
    const [shape, shown] = [shapeOf(analyticsState, card), shownOf(analyticsState, card)]
    return fieldChart({ card, answer, whole, filters: asked.filters, volumes, shown, shape, reading })
  })
  const charts = [...(await Promise.all([...dates, ...fields])), ...(await readCosts({ asked, reading, volumes }))]
  return {
    day: asked.indexingDate ?? present,
    query: queryFacts(asked.filters, volumes),
    statistics: statisticsOf(whole, charts, reading),
    charts,
  }
}

async function readCosts({ asked, reading, volumes }: Omit<ReportAsked, 'present'>): Promise<CardChart[]> {
  const answer = await call(searchFields, fieldAsked(asked, storagesCard, reading.measure))
  const [shape, shown] = [shapeOf(analyticsState, costCard), shownOf(analyticsState, costCard)]
  const { costPeriod: period } = analyticsState
  return costCharts({ answer, filters: asked.filters, volumes, shown, shape, period, reading }).charts
}

function statisticsOf(whole: Totals, charts: CardChart[], { base }: Reading): Fact[] {
  const duplicates = charts.find(({ title }) => title === 'Duplicates')?.parts.find(({ key }) => key === 'true')
  const [size = sizeWords(0, base), files = '0', share = percentText(0)] = duplicates?.cells ?? []
  return [
    ['Files', countText(whole.count)],
    ['Total size', sizeWords(whole.size, base)],
    ['Average size', whole.count > 0 ? sizeWords(whole.size / whole.count, base) : '-'],
    ['Duplicates', `${counted(Number(files.replaceAll(',', '')), 'file')}, ${size}, ${share}`],
  ]
}
