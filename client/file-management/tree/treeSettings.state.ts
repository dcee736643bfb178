import { proxy } from 'valtio'
import type { Sort } from '../../ui/column.ts'
import { lastColumns, type LastColumn } from './lastColumns.ts'

const keys = {
  sort: 'folderTreeSort',
  direction: 'folderTreeDirection',
  column: 'folderTreeLastColumn',
  hidden: 'isLastColumnHidden',
} as const
const kept = (key: keyof typeof keys) => (typeof localStorage === 'undefined' ? null : localStorage.getItem(keys[key]))
const keep = (key: keyof typeof keys, value: string) => localStorage.setItem(keys[key], value)

/** How whoever uses this browser wants to see the tree: its order, and the one column that can be chosen. */
export const treeSettings = proxy<{ sort: Sort; column: LastColumn; isColumnHidden: boolean }>({
  sort: { field: kept('sort') ?? 'size', direction: kept('direction') === 'asc' ? 'asc' : 'desc' },
  column: lastColumns.find((column) => column === kept('column')) ?? 'lastModified',
  isColumnHidden: kept('hidden') === 'true',
})

export function sortTree(sort: Sort): void {
  treeSettings.sort = sort
  keep('sort', sort.field)
  keep('direction', sort.direction)
}

export function showColumn(column: LastColumn): void {
  treeSettings.column = column
  keep('column', column)
}

export function hideColumn(isHidden: boolean): void {
  treeSettings.isColumnHidden = isHidden
  keep('hidden', String(isHidden))
}
