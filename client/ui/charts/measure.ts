import type { Totals } from '#events/search/calls.ts'
import { countText } from '#client/ui/text/count.ts'
import { type SizeBase, sizeWords, tickSize } from '#client/ui/text/size.ts'

/** Quantity that bars and slices show. */
export type Measure = 'size' | 'count'

/** Quantity and units of a chart. */
export type Reading = { measure: Measure; base: SizeBase }

export const valueOf = (totals: Totals, measure: Measure): number => Math.max(0, totals[measure])

export const valueText = (totals: Totals, { measure, base }: Reading): string =>
  measure === 'size' ? sizeWords(totals.size, base) : countText(totals.count)

/** Label of an axis tick. */
export const tickText =
  ({ measure, base }: Reading) =>
  (value: number): string =>
    measure === 'size' && value > 0 ? tickSize(value, base) : countText(value)

/** Base for axis ticks. */
export const stepBase = ({ measure, base }: Reading): number => (measure === 'count' ? 1 : base === '2' ? 1024 : 1000)

export const added = (list: readonly Totals[]): Totals => ({
  size: list.reduce((sum, { size }) => sum + Math.max(0, size), 0),
  count: list.reduce((sum, { count }) => sum + count, 0),
})
