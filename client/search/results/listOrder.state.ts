import { proxy } from 'valtio'
import { oneOf, remembered, rememberedSort } from '#client/ui/remembered.ts'
import { pageSizes } from '#client/parts/pagination/pageSizes.ts'
import type { Sort } from '#client/ui/table/column.ts'
import { columnChoice } from '#client/ui/table/columnChoice.state.ts'
import { type ListKind, isSort } from '#client/parts/searched/searchAddress.ts'

const largestFirst: Sort = { field: 'size', direction: 'desc' }
const stored = {
  files: rememberedSort('fileSort', 'fileDirection', largestFirst),
  folders: rememberedSort('folderSort', 'folderDirection', largestFirst),
  size: remembered('numberOfElementsSearch', oneOf<number>(pageSizes), 50),
}
/** Page size after all filters are cleared. */
export const clearedSize = 25

/** Sort order and page size of the results, kept in this browser. */
export const listOrder = proxy<{ files: Sort; folders: Sort; size: number }>({
  files: storedSort('files'),
  folders: storedSort('folders'),
  size: stored.size.read(),
})

export function saveSort(list: ListKind, sort: Sort): void {
  listOrder[list] = sort
  stored[list].write(sort)
}

export function savePageSize(size: number): void {
  listOrder.size = size
  stored.size.write(size)
}

/** Default: largest first. */
function storedSort(list: ListKind): Sort {
  const sort = stored[list].read()
  return isSort(sort.field) ? sort : largestFirst
}

/** Columns of each list, kept in this browser. */
export const columnChoices = { files: columnChoice('columnsOfFiles'), folders: columnChoice('columnsOfFolders') }
