import type { ChartPart, OnPick } from './chartPart.ts'
import type { DayLayer } from './dayStackProps.ts'

/** Lines over a few fixed points, such as ages. The parts are the points with their tooltips. */
export type CurveProps = {
  label: string
  parts: readonly ChartPart[]
  /** The lines, with a value for each point; undefined has no point. */
  lines: readonly (Omit<DayLayer, 'values'> & { values: readonly (number | undefined)[] })[]
  /** Base for axis ticks: 1 for counts. */
  base: number
  tickText: (value: number) => string
  /** Key of the chosen point, which is marked. */
  picked: string
  onPick: OnPick
}
