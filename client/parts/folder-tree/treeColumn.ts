import type { ReactNode } from 'react'
import type { TreeEntry } from './treeModel.ts'

/** Column of a tree in addition to name and size. */
export type TreeColumn = {
  /** Sort key of the API, if the tree can be sorted by it. */
  key: string
  title: string
  /** Tooltip of the title. */
  hint?: string | undefined
  sortable: boolean
  /** Changes need a wider column. */
  isOfChanges: boolean
  /**
   * `max` is the largest absolute change in the same folder, in bytes. `stop` is the tab index of controls in the row.
   */
  cell: (entry: TreeEntry, max: number, stop: number) => ReactNode
}
