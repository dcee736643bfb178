import type { ReactNode } from 'react'
import type { TreeEntry } from './treeModel.ts'

/** What stands in a tree beside names and sizes. */
export type TreeColumn = {
  /** What the server sorts by, where the tree can be sorted by it. */
  key: string
  title: string
  /** What hovering over its title says. */
  hint?: string | undefined
  sortable: boolean
  /** Changes need more room than other values. */
  isOfChanges: boolean
  /**
   * `most` is the largest change of what lies in the same folder, in bytes, however it went; `stop` is the tab index of what can be
   * pressed in the row.
   */
  cell: (entry: TreeEntry, most: number, stop: number) => ReactNode
}
