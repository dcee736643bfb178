import type { FieldTotals, Totals } from '#events/search.ts'
import type { SearchFilters } from '#events/search-filters.ts'
import { categoryOf, type ChartPart } from '../../ui/charts/chartPart.ts'
import { countText, counted, percentText } from '../../ui/text/count.ts'
import { sizeWords } from '../../ui/text/size.ts'
import type { CardChart } from './cardChart.ts'
import type { FieldCard, Named } from './fieldCards.ts'
import { fold } from './fold.ts'
import { added, type Reading, valueOf, valueText } from '../../ui/charts/measure.ts'

type FieldChart = {
  card: FieldCard
  answer: FieldTotals[]
  whole: Totals | undefined
  filters: SearchFilters
  volumes: readonly Named[]
  shown: number
  shape: 'circle' | 'bars'
  reading: Reading
}

const restKey = 'rest of them'

/** Files by a field: its largest items, and the others as one. */
export function fieldChart(asked: FieldChart): CardChart {
  const { card, answer, whole, filters, volumes, shown, shape, reading } = asked
  const { largest, rest } = fold(card.items(answer, volumes), shown, reading.measure, whole)
  const all = added([...largest, ...(rest ? [rest] : [])])
  const partOf = (key: string, label: string, totals: Totals, place: number): ChartPart => ({
    key,
    label,
    value: valueOf(totals, reading.measure),
    text: valueText(totals, reading),
    role: key === restKey || key === '' ? 'other' : categoryOf(shape === 'circle' ? place : 0),
    isPickable: changes.has(key),
    cells: [
      sizeWords(totals.size, reading.base),
      countText(totals.count),
      percentText(valueOf(totals, reading.measure) / (valueOf(all, reading.measure) || 1)),
    ],
  })
  const changes = new Map(
    largest.flatMap(({ field }) => {
      const change = card.change(field, filters, volumes)
      return change ? [[field, change]] : []
    }),
  )
  const parts = [
    ...largest.map((item, place) => partOf(item.field, card.label(item.field), item, place)),
    ...(rest ? [partOf(restKey, 'Other', rest, largest.length)] : []),
  ]
  return {
    title: card.title,
    shape,
    summary: summaryOf(card.title, parts, all, reading),
    note: '',
    columns: [card.title, 'Size', 'Files', 'Share'],
    parts,
    total: valueText(all, reading),
    reading,
    changes,
  }
}

function summaryOf(title: string, parts: ChartPart[], all: Totals, { base }: Reading): string {
  const [first] = parts
  if (!first) return `${title}: no files.`
  const whole = `${counted(all.count, 'file')}, ${sizeWords(all.size, base)}`
  return `${title}: ${whole}. The largest is ${first.label} with ${first.text}, ${first.cells.at(-1)}.`
}
