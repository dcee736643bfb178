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
