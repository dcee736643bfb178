import type { ChartPart, OnPick } from './chartPart.ts'

/** Values of days as a line; the keys of its parts are days (`yyyy-MM-dd`), oldest first. */
export type DayLineProps = {
  label: string
  parts: readonly ChartPart[]
  /** The first and the last day of the axis. */
  from: string
  to: string
  /** The base of the units that the axis is divided by: 1 for numbers of things. */
  base: number
  tickText: (value: number) => string
  /** A value that must not be passed: a line where it lies, and a box over all that is beyond it. */
  limit?: Limit | undefined
  onPick?: OnPick
}

export type Limit = { value: number; line: string | undefined; box: string | undefined }
