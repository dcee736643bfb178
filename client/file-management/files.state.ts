import { proxy } from 'valtio'
import { pageSizes } from '../parts/pagination/Pagination.tsx'
import type { Sort } from '../ui/column.ts'

const keys = {
  mode: 'fileManagementMode',
  panel: 'isDetailsPanelOpen',
  map: 'isFolderMapOpen',
  size: 'numberOfElementsFileManagement',
  fileSort: 'fileSort',
  fileDirection: 'fileDirection',
  folderSort: 'folderSort',
  folderDirection: 'folderDirection',
} as const
const kept = (key: keyof typeof keys) => (typeof localStorage === 'undefined' ? null : localStorage.getItem(keys[key]))
const keep = (key: keyof typeof keys, value: string) => localStorage.setItem(keys[key], value)

export type Mode = 'tree' | 'lists'
const usualSize = 25

type FilesShown = {
  mode: Mode
  isPanelOpen: boolean
  isMapOpen: boolean
  /** On small screens the details are asked for each time. */
  isDrawerOpen: boolean
  size: number
  files: Sort
  folders: Sort
}
/** How whoever uses this browser looks at files: as a tree or as two lists, with the details beside them or not. */
export const filesShown = proxy<FilesShown>({
  mode: kept('mode') === 'lists' ? 'lists' : 'tree',
  isPanelOpen: kept('panel') !== 'false',
  isDrawerOpen: false,
  isMapOpen: kept('map') === 'true',
  size: pageSizes.find((size) => size === Number(kept('size'))) ?? usualSize,
  files: { field: kept('fileSort') ?? 'size', direction: kept('fileDirection') === 'asc' ? 'asc' : 'desc' },
  folders: { field: kept('folderSort') ?? 'size', direction: kept('folderDirection') === 'asc' ? 'asc' : 'desc' },
})

export function showMode(mode: Mode): void {
  filesShown.mode = mode
  keep('mode', mode)
}

export function openPanel(isOpen: boolean): void {
  filesShown.isPanelOpen = isOpen
  keep('panel', String(isOpen))
}

export function openMap(isOpen: boolean): void {
  filesShown.isMapOpen = isOpen
  keep('map', String(isOpen))
}

export function openDrawer(isOpen: boolean): void {
  filesShown.isDrawerOpen = isOpen
}

export function choosePageSize(size: number): void {
  filesShown.size = size
  keep('size', String(size))
}

export function sortList(list: 'files' | 'folders', sort: Sort): void {
  filesShown[list] = sort
  keep(list === 'files' ? 'fileSort' : 'folderSort', sort.field)
  keep(list === 'files' ? 'fileDirection' : 'folderDirection', sort.direction)
}
