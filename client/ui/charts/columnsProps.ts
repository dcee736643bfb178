import type { ChartPart, OnPick } from './chartPart.ts'

/** A column chart. */
export type ColumnsProps = {
  label: string
  parts: readonly ChartPart[]
  /** Base for axis ticks: 1 for counts. */
  base: number
  tickText: (value: number) => string
  onPick?: OnPick
}
