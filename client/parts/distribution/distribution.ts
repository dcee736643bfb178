import type { ChartPart } from '#client/ui/charts/chartPart.ts'
import type { Reading } from '#client/ui/charts/measure.ts'

/** Distribution of files, for screens and PDF documents. */
export type Distribution = {
  title: string
  shape: 'columns' | 'circle' | 'bars'
  /** One sentence that describes it. */
  summary: string
  columns: string[]
  parts: ChartPart[]
  total: string
  reading: Reading
}

/** Fewest columns of a chart. */
const minColumns = 6

/** The columns of a chart without empty ones at both ends. Its table has all of them. */
export function withoutEmptyEnds(parts: readonly ChartPart[]): ChartPart[] {
  let [from, to] = [0, parts.length]
  while (to - from > minColumns && parts[to - 1]?.value === 0) to -= 1
  while (to - from > minColumns && parts[from]?.value === 0) from += 1
  return parts.slice(from, to)
}
