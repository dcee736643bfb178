import type { Distribution } from '#client/parts/distribution/distribution.ts'

/** Query parameters set by a selection; undefined removes a parameter. */
export type FilterChange = Record<string, string | string[] | undefined>

/** A chart for the screen and the PDF. */
export type CardChart = Distribution & {
  /** Shown next to the title. */
  note: string
  /** Filter of each part, by key. */
  changes: Map<string, FilterChange>
}
