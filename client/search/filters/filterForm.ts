import type { Volume } from '#events/snapshots.ts'
import type { FilterName, FilterParams } from '#client/parts/searched/filterNames.ts'

/** Chips with a menu. */
export type FilterMenuName = 'Storage' | 'Last access' | 'Size' | 'More'

/** Props shared by the filter inputs. */
export type FilterForm = {
  params: FilterParams
  set: (change: FilterParams) => void
  /** Server errors by filter. */
  errors: Partial<Record<FilterName, string>>
  volumes: readonly Volume[]
  /** Results are folders, which only some filters apply to. */
  isOfFolders: boolean
  /** Closes the menu of a single filter; undefined in the form of all others. */
  close?: () => void
}
