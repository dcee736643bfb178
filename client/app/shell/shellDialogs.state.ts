import { proxy } from 'valtio'

/** Dialog over the page: the command palette, the list of shortcuts, or a scan of all storages. */
export const shellDialogs = proxy<{ open: 'palette' | 'keys' | 'scan' | undefined }>({ open: undefined })

export const openPalette = (): void => void (shellDialogs.open = 'palette')
export const openKeys = (): void => void (shellDialogs.open = 'keys')
export const openScan = (): void => void (shellDialogs.open = 'scan')
export const closeShellDialog = (): void => void (shellDialogs.open = undefined)
