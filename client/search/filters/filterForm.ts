import type { Volume } from '#events/snapshots.ts'
import type { FilterName, FilterWords } from './filterNames.ts'

/** Props shared by the filter inputs. */
export type FilterForm = {
  words: FilterWords
  set: (change: FilterWords) => void
  /** Server errors by filter. */
  errors: Partial<Record<FilterName, string>>
  volumes: readonly Volume[]
}
