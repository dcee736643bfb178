import { proxy } from 'valtio'

/** Dialog over the page: the command palette with its text, the list of shortcuts, or a scan of all storages. */
export const shellDialogs = proxy<{ open: 'palette' | 'keys' | 'scan' | undefined; typed: string }>({
  open: undefined,
  typed: '',
})

export const openPalette = (): void => void Object.assign(shellDialogs, { open: 'palette', typed: '' })
export const openKeys = (): void => void (shellDialogs.open = 'keys')
export const openScan = (): void => void (shellDialogs.open = 'scan')
export const closeShellDialog = (): void => void (shellDialogs.open = undefined)

/**
 * Adds a key to the text of the open palette while its field doesn't have the focus yet: the palette may still load. Returns
 * false for other keys.
 */
export function typeAhead(event: KeyboardEvent): boolean {
  const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing
  if (shellDialogs.open !== 'palette' || !isText || document.activeElement?.closest('[role="dialog"]')) return false
  event.preventDefault()
  shellDialogs.typed += event.key
  return true
}

type FindHelp = (words: string) => { name: string; title: string; excerpt: string }[]

/** Loads the search of the help, which is a screen. */
export const help: { load: () => Promise<FindHelp> } = { load: () => Promise.resolve(() => []) }
