import { proxy } from 'valtio'
import { type Format, oneOf, remembered, rememberedSort, yesOrNo } from '#client/ui/remembered.ts'
import { pageSizes } from '#client/parts/pagination/pageSizes.ts'
import type { Sort } from '#client/ui/table/column.ts'

export type Mode = 'tree' | 'lists'

const largestFirst: Sort = { field: 'size', direction: 'desc' }
/** Of the height that tree and map share. */
const share: Format<number> = {
  read: (text) => (/^0\.\d{1,20}$/.test(text) ? Number(text) : undefined),
  write: String,
}
const stored = {
  mode: remembered<Mode>('fileManagementMode', oneOf(['tree', 'lists']), 'tree'),
  panel: remembered('isDetailsPanelOpen', yesOrNo, true),
  map: remembered('isFolderMapOpen', yesOrNo, false),
  mapShare: remembered('mapShare', share, 0.45),
  size: remembered('numberOfElementsFileManagement', oneOf<number>(pageSizes), 25),
  files: rememberedSort('fileSort', 'fileDirection', largestFirst),
  folders: rememberedSort('folderSort', 'folderDirection', largestFirst),
}

type FilesShown = {
  mode: Mode
  isPanelOpen: boolean
  isMapOpen: boolean
  /** Height of the map below the tree, from 0 to 1. */
  mapShare: number
  /** On narrow screens the details start closed. */
  isDrawerOpen: boolean
  size: number
  files: Sort
  folders: Sort
}
/** View of files in this browser: tree or lists, with or without details. */
export const filesShown = proxy<FilesShown>({
  mode: stored.mode.read(),
  isPanelOpen: stored.panel.read(),
  isDrawerOpen: false,
  isMapOpen: stored.map.read(),
  mapShare: stored.mapShare.read(),
  size: stored.size.read(),
  files: stored.files.read(),
  folders: stored.folders.read(),
})

export function showMode(mode: Mode): void {
  filesShown.mode = mode
  stored.mode.write(mode)
}

export function openPanel(isOpen: boolean): void {
  filesShown.isPanelOpen = isOpen
  stored.panel.write(isOpen)
}

export function openMap(isOpen: boolean): void {
  filesShown.isMapOpen = isOpen
  stored.map.write(isOpen)
}

export function setMapShare(share: number): void {
  filesShown.mapShare = share
  stored.mapShare.write(share)
}

export function openDrawer(isOpen: boolean): void {
  filesShown.isDrawerOpen = isOpen
}

export function choosePageSize(size: number): void {
  filesShown.size = size
  stored.size.write(size)
}

export function sortList(list: 'files' | 'folders', sort: Sort): void {
  filesShown[list] = sort
  stored[list].write(sort)
}
