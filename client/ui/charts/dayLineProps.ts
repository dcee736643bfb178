import type { ChartPart, OnPick } from './chartPart.ts'

/** Values by day as a line. Keys of the parts are days (`yyyy-MM-dd`), oldest first. */
export type DayLineProps = {
  label: string
  parts: readonly ChartPart[]
  /** First and last day of the axis. */
  from: string
  to: string
  /** Base for axis ticks: 1 for counts. */
  base: number
  tickText: (value: number) => string
  /** Upper limit: drawn as a line, with a box above it. */
  limit?: Limit | undefined
  onPick?: OnPick
}

export type Limit = { value: number; line: string | undefined; box: string | undefined }
