import type { Distribution } from '#client/parts/distribution/distribution.ts'

/** Parameters of the address that a choice sets; undefined empties one. */
export type FilterChange = Record<string, string | string[] | undefined>

/** A chart as the screen and the report draw it. */
export type CardChart = Distribution & {
  /** Stands beside the title. */
  note: string
  /** The filter that choosing a part sets, by its key. */
  changes: Map<string, FilterChange>
}
