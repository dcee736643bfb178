import { proxy } from 'valtio'
import type { Sort } from '../ui/column.ts'
import type { ListKind } from './listKind.ts'
import { isPageSize, isSort } from './searchAddress.ts'

const sortKeys = {
  files: ['fileSort', 'fileDirection'],
  folders: ['folderSort', 'folderDirection'],
} as const satisfies Record<ListKind, [string, string]>
const sizeKey = 'numberOfElementsSearch'
const usualSize = 50
/** How many rows a page has after all filters were cleared. */
export const clearedSize = 25

/** In which order, and by how many on a page, this browser shows results. */
export const listOrder = proxy<{ files: Sort; folders: Sort; size: number }>({
  files: keptSort('files'),
  folders: keptSort('folders'),
  size: keptSize(),
})

export function keepSort(list: ListKind, sort: Sort): void {
  listOrder[list] = sort
  const [field, direction] = sortKeys[list]
  localStorage.setItem(field, sort.field)
  localStorage.setItem(direction, sort.direction)
}

export function keepSize(size: number): void {
  listOrder.size = size
  localStorage.setItem(sizeKey, String(size))
}

/** Largest first unless something else was chosen here. */
function keptSort(list: ListKind): Sort {
  const [field, direction] = sortKeys[list].map((key) => localStorage.getItem(key))
  if (!isSort(field ?? null)) return { field: 'size', direction: 'desc' }
  return { field: String(field), direction: direction === 'desc' ? 'desc' : 'asc' }
}

function keptSize(): number {
  const size = Number(localStorage.getItem(sizeKey))
  return isPageSize(size) ? size : usualSize
}
