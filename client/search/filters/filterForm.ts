import type { Volume } from '#events/snapshots.ts'
import type { FilterName, FilterWords } from './filterNames.ts'

/** What the fields of the filters share. */
export type FilterForm = {
  words: FilterWords
  set: (change: FilterWords) => void
  /** What the server says of filters. */
  errors: Partial<Record<FilterName, string>>
  volumes: readonly Volume[]
}
