import { type FieldTotals, groupingFields, type Totals } from '#events/search/calls.ts'
import { call } from '#client/app/call.ts'
import { duplicateRule, reclaimableWords } from '#client/parts/duplicates/duplicateWords.ts'
import { coverageText, hoursText } from '#client/parts/media/mediaWords.ts'
import { countText, counted, percentText } from '#client/ui/text/count.ts'
import { sizeWords } from '#client/ui/text/size.ts'
import {
  datesRequest,
  fieldRequest,
  filtersOf,
  mediaRequest,
  totalsRequest,
} from '#client/search/analytics/analyticsQueries.ts'
import { analyticsState, shapeOf, itemLimit } from '#client/search/analytics/analytics.state.ts'
import type { CardChart } from '#client/search/analytics/cardChart.ts'
import { costCard, costCharts, type PricedVolume } from '#client/search/analytics/costChart.ts'
import { dateCards, dateChart } from '#client/search/analytics/dateChart.ts'
import { rangeOf, unitFor } from '#client/search/analytics/dateWindow.ts'
import { type FieldCard, fieldCards, mediaCards } from '#client/search/analytics/fieldCards.ts'
import type { SearchAtDate } from '#client/search/analytics/searchRequest.ts'
import { fieldChart } from '#client/search/analytics/fieldChart.ts'
import { type Reading, valueOf } from '#client/ui/charts/measure.ts'
import { type Fact, queryFacts } from '#client/parts/searched/queryFacts.ts'
import type { SearchReportProps } from './SearchReport.tsx'

export type ReportOptions = {
  search: SearchAtDate
  present: string
  reading: Reading
  volumes: readonly PricedVolume[]
}

type Fields = Record<FieldCard['fieldName'], FieldTotals[]>

/** Fetches all data of a search report, with the options of the cards. */
export async function readReport({ search, present, reading, volumes }: ReportOptions): Promise<SearchReportProps> {
  const [whole, media] = await Promise.all([call(...totalsRequest(search)), call(...mediaRequest(search))])
  const ofMedia = media.read > 0 ? mediaCards : []
  const [fields, dates] = await Promise.all([
    readFields(search, reading, [...groupingFields, ...ofMedia.map(({ fieldName }) => fieldName)]),
    readDates({ search, present, reading }),
  ])
  const filters = filtersOf(search)
  const drawn = (card: Pick<FieldCard, 'key' | 'defaultShape'>) => ({
    shown: itemLimit(analyticsState, card),
    shape: shapeOf(analyticsState, card),
  })
  const { costPeriod: period } = analyticsState
  const costs = costCharts({ answer: fields.storageName, filters, volumes, period, reading, ...drawn(costCard) })
  return {
    day: search.indexingDate ?? present,
    query: queryFacts(search.searched, volumes),
    statistics: [
      ...statisticsOf(whole, fields, reading),
      ...(media.read > 0 ? [['Duration', `${hoursText(media.duration)}, ${coverageText(media)}`] as Fact] : []),
    ],
    charts: [
      ...dates,
      ...fieldCards.map((card) =>
        fieldChart({ card, answer: fields[card.fieldName], whole, filters, volumes, reading, ...drawn(card) }),
      ),
      ...ofMedia.map((card) =>
        fieldChart({
          card,
          answer: fields[card.fieldName],
          whole: undefined,
          filters,
          volumes,
          reading,
          ...drawn(card),
        }),
      ),
      ...costs.charts,
    ],
  }
}

/** Fetches each field once, since several cards may share it. */
async function readFields(
  search: SearchAtDate,
  { measure }: Reading,
  names: readonly FieldCard['fieldName'][],
): Promise<Fields> {
  const read = names.map(async (fieldName) => [fieldName, await call(...fieldRequest(search, { fieldName }, measure))])
  return Object.fromEntries(await Promise.all(read)) as Fields
}

const readDates = ({ search, present, reading }: Omit<ReportOptions, 'volumes'>): Promise<CardChart[]> =>
  Promise.all(
    dateCards.map(async ({ field, title }) => {
      const range = rangeOf(search.searched, field, present)
      const points = await call(
        ...datesRequest(search, { dateField: field, dateIntervalType: unitFor(range, present) }, present),
      )
      return dateChart({ field, title, points, within: range, reading })
    }),
  )

function statisticsOf(whole: Totals, { isDupe }: Fields, { base, measure }: Reading): Fact[] {
  const duplicates = isDupe.find(({ field }) => field === 'true') ?? { count: 0, size: 0, reclaimable: 0 }
  const freed = reclaimableWords(duplicates, base)
  const share = percentText(valueOf(duplicates, measure) / (valueOf(whole, measure) || 1))
  return [
    ['Files', countText(whole.count)],
    ['Total size', sizeWords(whole.size, base)],
    ['Average size', whole.count > 0 ? sizeWords(whole.size / whole.count, base) : '-'],
    [
      'Duplicates',
      `${counted(duplicates.count, 'file')}, ${sizeWords(duplicates.size, base)}, ${share}${freed ? `; ${freed}` : ''}`,
    ],
    ['Duplicates are', duplicateRule],
  ]
}
