import type { ChartPart, OnPick } from './chartPart.ts'

/** Parts that stand beside each other over an axis. */
export type ColumnsProps = {
  label: string
  parts: readonly ChartPart[]
  /** The base of the units that the axis is divided by: 1 for numbers of things. */
  base: number
  tickText: (value: number) => string
  onPick?: OnPick
}
