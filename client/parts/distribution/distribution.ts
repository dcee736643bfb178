import type { ChartPart } from '#client/ui/charts/chartPart.ts'
import type { Reading } from '#client/ui/charts/measure.ts'

/** How files are divided, as screens and documents draw it. */
export type Distribution = {
  title: string
  shape: 'columns' | 'circle' | 'bars'
  /** What it shows, in one sentence. */
  summary: string
  /** The titles of the table. */
  columns: string[]
  parts: ChartPart[]
  /** The sum of all parts, as text. */
  total: string
  reading: Reading
}
