import { useSyncExternalStore } from 'react'
import { proxy, subscribe } from 'valtio'
import { condensedName, condensedPath, nameLimit, pathLimit } from './text/condensed.ts'

const keys = { names: 'isNameCondensed', paths: 'isPathCondensed', hidden: 'showHiddenFoldersFileManagement' } as const
type Shown = Record<keyof typeof keys, boolean>

const isKept = (what: keyof Shown) => typeof localStorage !== 'undefined' && localStorage.getItem(keys[what]) === 'true'

/** What whoever uses this browser wants to see: condensed names, condensed paths, hidden folders. */
export const shown = proxy<Shown>({ names: isKept('names'), paths: isKept('paths'), hidden: isKept('hidden') })

export function show(what: keyof Shown, wanted: boolean): void {
  shown[what] = wanted
  localStorage.setItem(keys[what], String(wanted))
}

function followWidth(tell: () => void) {
  window.addEventListener('resize', tell)
  return () => window.removeEventListener('resize', tell)
}
const follow = (tell: () => void) => subscribe(shown, tell)
/** For one text of many: a list that scrolls draws hundreds in a second, for which a snapshot each is too much. */
const useShown = (what: keyof Shown) => useSyncExternalStore(follow, () => shown[what])
const useWindowWidth = () => useSyncExternalStore(followWidth, () => window.innerWidth)

/** A name as this browser shows it. */
export function useNameText(name: string): string {
  const isCondensed = useShown('names')
  const width = useWindowWidth()
  return isCondensed ? condensedName(name, nameLimit(width)) : name
}

/** A path as this browser shows it. */
export function usePathText(path: string): string {
  const isCondensed = useShown('paths')
  const width = useWindowWidth()
  return isCondensed ? condensedPath(path, pathLimit(width)) : path
}
