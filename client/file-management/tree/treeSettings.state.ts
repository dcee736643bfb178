import { proxy } from 'valtio'
import { oneOf, remembered, rememberedSort, yesOrNo } from '#client/ui/remembered.ts'
import type { Sort } from '#client/ui/table/column.ts'
import { lastColumns, type LastColumn } from './lastColumns.ts'

const kept = {
  sort: rememberedSort('folderTreeSort', 'folderTreeDirection', { field: 'size', direction: 'desc' }),
  column: remembered<LastColumn>('folderTreeLastColumn', oneOf(lastColumns), 'lastModified'),
  hidden: remembered('isLastColumnHidden', yesOrNo, false),
}

/** Sort order and extra column of the tree, kept in this browser. */
export const treeSettings = proxy<{ sort: Sort; column: LastColumn; isColumnHidden: boolean }>({
  sort: kept.sort.read(),
  column: kept.column.read(),
  isColumnHidden: kept.hidden.read(),
})

export function sortTree(sort: Sort): void {
  treeSettings.sort = sort
  kept.sort.write(sort)
}

export function showColumn(column: LastColumn): void {
  treeSettings.column = column
  kept.column.write(column)
}

export function hideColumn(isHidden: boolean): void {
  treeSettings.isColumnHidden = isHidden
  kept.hidden.write(isHidden)
}
