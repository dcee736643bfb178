import { costOf, type StoragePrice } from '#events/price-books.ts'
import type { FieldTotals } from '#events/search.ts'
import type { SearchFilters } from '#events/search-filters.ts'
import type { Volume } from '#events/snapshots.ts'
import { categoryOf, type ChartPart } from '../../ui/charts/chartPart.ts'
import { percentText } from '../../ui/text/count.ts'
import { moneyText, perInterval } from '../../ui/text/money.ts'
import { sizeWords } from '../../ui/text/size.ts'
import type { CardChart } from './cardChart.ts'
import type { CostPeriod } from './costPeriods.ts'
import { storagesCard, type Named } from './fieldCards.ts'
import type { Reading } from '../../ui/charts/measure.ts'

/** A storage with its price at the snapshot. */
export type Priced = Named & Pick<Volume, 'storagePrice'>

/** The card as those who choose its form know it. */
export const costCard = { key: 'cost', title: 'Storage cost', usually: 'bars' } as const

type CostsAsked = {
  /** What was found, by the name of its storage. */
  answer: readonly FieldTotals[]
  filters: SearchFilters
  volumes: readonly Priced[]
  shown: number
  shape: 'circle' | 'bars'
  period: CostPeriod
  reading: Reading
}

type Item = { field: string; size: number; cost: number }

/** What is found costs: a chart for each currency, since they cannot be added up, and the storages without a price book. */
export function costCharts(asked: CostsAsked): { charts: CardChart[]; unpriced: string[] } {
  const { answer, volumes, period } = asked
  const priceOf = (name: string): StoragePrice | null =>
    volumes.find((volume) => volume.name === name)?.storagePrice ?? null
  const priced = answer.flatMap(({ field, size }) => {
    const price = priceOf(field)
    const bytes = Math.max(0, size)
    return price ? [{ field, size: bytes, cost: costOf(bytes, price.price, period), symbol: price.currencySymbol }] : []
  })
  const currencies = [...Map.groupBy(priced, ({ symbol }) => symbol)]
  return {
    charts: currencies.map(([symbol, items]) =>
      costChart(asked, items, symbol, currencies.length > 1 ? `${costCard.title} in ${symbol}` : costCard.title),
    ),
    unpriced: answer.filter(({ field }) => !priceOf(field)).map(({ field }) => storagesCard.label(field)),
  }
}

const restKey = 'rest of them'

function costChart(asked: CostsAsked, items: Item[], symbol: string, title: string): CardChart {
  const { filters, volumes, shown, shape, period, reading } = asked
  const ranked = items.toSorted((a, b) => b.cost - a.cost)
  const [largest, rest] = [ranked.slice(0, shown), ranked.slice(shown)]
  const all = added(items)
  const partOf = ({ field, size, cost }: Item, label: string, role: ChartPart['role']): ChartPart => ({
    key: field,
    label,
    value: cost,
    text: moneyText(cost, symbol),
    role,
    isPickable: changes.has(field),
    cells: [moneyText(cost, symbol), sizeWords(size, reading.base), percentText(cost / (all.cost || 1))],
  })
  const changes = new Map(
    largest.flatMap(({ field }) => {
      const change = storagesCard.change(field, filters, volumes)
      return change ? [[field, change]] : []
    }),
  )
  const parts = [
    ...largest.map((item, place) =>
      partOf(item, storagesCard.label(item.field), categoryOf(shape === 'circle' ? place : 0)),
    ),
    ...(rest.length > 0 ? [partOf({ field: restKey, ...added(rest) }, 'Other', 'other')] : []),
  ]
  const total = moneyText(all.cost, symbol)
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
})
