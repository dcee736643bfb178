import type { Totals } from '#events/search/calls.ts'
import { countText } from '#client/ui/text/count.ts'
import { type SizeBase, sizeWords, tickSize } from '#client/ui/text/size.ts'

/** What bars and slices stand for. */
export type Measure = 'size' | 'count'

/** How charts read totals: by what, and in which units. */
export type Reading = { measure: Measure; base: SizeBase }

export const valueOf = (totals: Totals, measure: Measure): number => Math.max(0, totals[measure])

export const valueText = (totals: Totals, { measure, base }: Reading): string =>
  measure === 'size' ? sizeWords(totals.size, base) : countText(totals.count)

/** What is on an axis. */
export const tickText =
  ({ measure, base }: Reading) =>
  (value: number): string =>
    measure === 'size' && value > 0 ? tickSize(value, base) : countText(value)

/** The base of the units that an axis is divided by. */
export const stepBase = ({ measure, base }: Reading): number => (measure === 'count' ? 1 : base === '2' ? 1024 : 1000)

export const added = (list: readonly Totals[]): Totals => ({
  size: list.reduce((sum, { size }) => sum + Math.max(0, size), 0),
  count: list.reduce((sum, { count }) => sum + count, 0),
})
