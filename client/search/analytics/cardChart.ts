import type { ChartPart } from '../../ui/charts/chartPart.ts'
import type { Reading } from '../../ui/charts/measure.ts'

/** Parameters of the address that a choice sets; undefined empties one. */
export type FilterChange = Record<string, string | string[] | undefined>

/** A chart as the screen and the report draw it. */
export type CardChart = {
  title: string
  shape: 'columns' | 'circle' | 'bars'
  /** What it says, in one sentence. */
  summary: string
  /** A quiet word beside the title. */
  note: string
  columns: string[]
  parts: ChartPart[]
  /** All of it in words. */
  total: string
  reading: Reading
  /** What choosing a part asks for, by its key. */
  changes: Map<string, FilterChange>
}
