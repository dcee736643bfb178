import type { Volume } from '#events/snapshots.ts'
import type { FilterName, FilterParams } from './filterNames.ts'

/** Props shared by the filter inputs. */
export type FilterForm = {
  params: FilterParams
  set: (change: FilterParams) => void
  /** Server errors by filter. */
  errors: Partial<Record<FilterName, string>>
  volumes: readonly Volume[]
}
