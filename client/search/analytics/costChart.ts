import { costOf, priceOfSome, type StoragePrice, type CostInterval } from '#events/price-books.ts'
import type { FieldTotals } from '#events/search/calls.ts'
import type { SearchFilters } from '#events/search/filters.ts'
import type { Volume } from '#events/snapshots.ts'
import { categoryOf, type ChartPart, withShares } from '#client/ui/charts/chartPart.ts'
import { estimateText } from '#client/parts/cost/costWords.ts'
import { moneyText } from '#events/money.ts'
import { perInterval } from '#client/ui/text/money.ts'
import { sizeWords } from '#client/ui/text/size.ts'
import type { Reading } from '#client/ui/charts/measure.ts'
import type { CardChart } from './cardChart.ts'
import { storagesCard, type NamedVolume } from './fieldCards.ts'

export const costPeriods = ['Monthly', 'Quarterly', 'Yearly'] as const satisfies CostInterval[]
export type CostPeriod = (typeof costPeriods)[number]

/** A storage with its price in the snapshot. */
export type PricedVolume = NamedVolume & Pick<Volume, 'storagePrice'>

/** Identifies the card for its stored options. */
export const costCard = { key: 'cost', title: 'Storage cost', defaultShape: 'bars' } as const

type CostOptions = {
  /** Totals by name of storage. */
  answer: readonly FieldTotals[]
  filters: SearchFilters
  volumes: readonly PricedVolume[]
  shown: number
  shape: 'circle' | 'bars'
  period: CostPeriod
  reading: Reading
}

type Item = { field: string; size: number; cost: number; isEstimate: boolean }

/**
 * Cost of the results: a chart per currency, storages without a price book, and storages with estimated costs, since
 * the storage classes of the results are unknown.
 */
export function costCharts(options: CostOptions): { charts: CardChart[]; unpriced: string[]; estimated: string[] } {
  const { answer, volumes, period } = options
  const priceOf = (name: string): StoragePrice | null =>
    volumes.find((volume) => volume.name === name)?.storagePrice ?? null
  const priced = answer.flatMap(({ field, size, billedSize = size }) => {
    const price = priceOf(field)
    const bytes = Math.max(0, size)
    if (!price) return []
    const { price: perYear, isEstimate } = priceOfSome(price)
    return [
      {
        field,
        size: bytes,
        cost: costOf(Math.max(0, billedSize), perYear, period),
        isEstimate,
        symbol: price.currencySymbol,
      },
    ]
  })
  const currencies = [...Map.groupBy(priced, ({ symbol }) => symbol)]
  return {
    charts: currencies.map(([symbol, items]) =>
      costChart(options, items, symbol, currencies.length > 1 ? `${costCard.title} in ${symbol}` : costCard.title),
    ),
    unpriced: answer.filter(({ field }) => !priceOf(field)).map(({ field }) => storagesCard.label(field)),
    estimated: priced.filter(({ isEstimate }) => isEstimate).map(({ field }) => storagesCard.label(field)),
  }
}

const restKey = 'rest of them'

function costChart(options: CostOptions, items: Item[], symbol: string, title: string): CardChart {
  const { filters, volumes, shown, shape, period, reading } = options
  const ranked = items.toSorted((a, b) => b.cost - a.cost)
  const [largest, rest] = [ranked.slice(0, shown), ranked.slice(shown)]
  const all = added(items)
  const textOf = ({ cost, isEstimate }: Pick<Item, 'cost' | 'isEstimate'>) =>
    estimateText(moneyText(cost, symbol), isEstimate)
  const partOf = (item: Item, label: string, role: ChartPart['role']): ChartPart => ({
    key: item.field,
    label,
    value: item.cost,
    text: textOf(item),
    role,
    isPickable: changes.has(item.field),
    cells: [textOf(item), sizeWords(item.size, reading.base)],
  })
  const changes = new Map(
    largest.flatMap(({ field }) => {
      const change = storagesCard.change(field, filters, volumes)
      return change ? [[field, change]] : []
    }),
  )
  const parts = withShares([
    ...largest.map((item, place) =>
      partOf(item, storagesCard.label(item.field), categoryOf(shape === 'circle' ? place : 0)),
    ),
    ...(rest.length > 0 ? [partOf({ field: restKey, ...added(rest) }, 'Other', 'other')] : []),
  ])
  const total = textOf(all)
  const note = `${total} ${perInterval[period]}`
  return {
    title,
    shape,
    summary: `${title}: ${note}. The largest is ${parts[0]?.label} with ${parts[0]?.text}, ${parts[0]?.cells.at(-1)}.`,
    note,
    columns: ['Storage', `Cost ${perInterval[period]}`, 'Size', 'Share'],
    parts,
    total,
    reading,
    changes,
  }
}

const added = (items: readonly Item[]) => ({
  size: items.reduce((sum, { size }) => sum + size, 0),
  cost: items.reduce((sum, { cost }) => sum + cost, 0),
  isEstimate: items.some(({ isEstimate }) => isEstimate),
})
