import type { FieldTotals, Totals } from '#events/search.ts'
import { added, type Measure, valueOf } from '../../ui/charts/measure.ts'

/** How many items a card shows of its field. */
export const fewestShown = 5
export const mostShown = 25
export const usuallyShown = 10

/**
 * The largest items and what all others add up to. `whole` is all there is, also of items that were not read; what it has
 * beyond the items belongs to the others. Items of the same name are one.
 */
export function fold(
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
