import { proxy } from 'valtio'

/** Dialog over the page: the command palette or the list of shortcuts. */
export const shellDialogs = proxy<{ open: 'palette' | 'keys' | undefined }>({ open: undefined })

export const openPalette = (): void => void (shellDialogs.open = 'palette')
export const openKeys = (): void => void (shellDialogs.open = 'keys')
export const closeShellDialog = (): void => void (shellDialogs.open = undefined)
