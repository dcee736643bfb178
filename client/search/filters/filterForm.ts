import type { Volume } from '#events/snapshots.ts'
import type { FilterName, FilterParams } from './filterNames.ts'

/** Props shared by the filter inputs. */
export type FilterForm = {
  params: FilterParams
  set: (change: FilterParams) => void
  /** Server errors by filter. */
  errors: Partial<Record<FilterName, string>>
  volumes: readonly Volume[]
  /** Results are folders, which only some filters apply to. */
  isOfFolders: boolean
}

/** Fields of a group. `hasMore` adds those that are rarely needed. */
export type FieldsProps = { form: FilterForm; hasMore: boolean }
