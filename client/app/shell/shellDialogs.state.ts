import { proxy } from 'valtio'

/** What the shell shows over any page: the palette of commands, or the list of all keys. */
export const shellDialogs = proxy<{ open: 'palette' | 'keys' | undefined }>({ open: undefined })

export const openPalette = (): void => void (shellDialogs.open = 'palette')
export const openKeys = (): void => void (shellDialogs.open = 'keys')
export const closeShellDialog = (): void => void (shellDialogs.open = undefined)
