import type { FieldTotals, Totals } from '#events/search/calls.ts'
import type { SearchFilters } from '#events/search/filters.ts'
import { categoryOf, type ChartPart, withShares } from '#client/ui/charts/chartPart.ts'
import { countText, counted } from '#client/ui/text/count.ts'
import { reclaimableWords } from '#client/parts/duplicates/duplicateWords.ts'
import { sizeWords } from '#client/ui/text/size.ts'
import { added, type Reading, valueOf, valueText, type Measure } from '#client/ui/charts/measure.ts'
import type { CardChart } from './cardChart.ts'
import type { FieldCard, NamedVolume } from './fieldCards.ts'

type FieldChart = {
  card: FieldCard
  answer: FieldTotals[]
  whole: Totals | undefined
  filters: SearchFilters
  volumes: readonly NamedVolume[]
  shown: number
  shape: 'circle' | 'bars'
  reading: Reading
}

const restKey = 'rest of them'

/** Files by a field: the largest items, and the rest as one. */
export function fieldChart(options: FieldChart): CardChart {
  const { card, answer, whole, filters, volumes, shown, shape, reading } = options
  const { largest, rest } = largestItems(card.items(answer, volumes), shown, reading.measure, whole)
  const all = added([...largest, ...(rest ? [rest] : [])])
  const partOf = (key: string, label: string, totals: Totals, place: number): ChartPart => ({
    key,
    label,
    value: valueOf(totals, reading.measure),
    text: valueText(totals, reading),
    role: key === restKey || key === '' ? 'other' : categoryOf(shape === 'circle' ? place : 0),
    isPickable: changes.has(key),
    cells: [sizeWords(totals.size, reading.base), countText(totals.count)],
  })
  const changes = new Map(
    largest.flatMap(({ field }) => {
      const change = card.change(field, filters, volumes)
      return change ? [[field, change]] : []
    }),
  )
  const parts = withShares([
    ...largest.map((item, place) => partOf(item.field, card.label(item.field), item, place)),
    ...(rest ? [partOf(restKey, 'Other', rest, largest.length)] : []),
  ])
  return {
    title: card.title,
    shape,
    summary: summaryOf(card.title, parts, all, reading),
    note: answer.map((item) => reclaimableWords(item, reading.base)).find(Boolean) ?? '',
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

/** Limits of the number of items per card. */
export const minItems = 5
export const maxItems = 25
export const defaultItems = 10

/**
 * Largest items, and the sum of the rest. `whole` includes items that were not fetched; the difference belongs to the
 * rest. Items with equal names are combined.
 */
export function largestItems(
  items: readonly FieldTotals[],
  shown: number,
  measure: Measure,
  whole: Totals | undefined,
): { largest: FieldTotals[]; rest: Totals | undefined } {
  const named = [...Map.groupBy(items, ({ field }) => field)].map(([field, same]) => ({ field, ...added(same) }))
  const ranked = named.toSorted((a, b) => valueOf(b, measure) - valueOf(a, measure) || b.count - a.count)
  const largest = ranked.slice(0, shown)
  const [all, top] = [whole ?? added(ranked), added(largest)]
  const rest = { size: Math.max(0, all.size - top.size), count: Math.max(0, all.count - top.count) }
  return { largest, rest: rest.count > 0 ? rest : undefined }
}
