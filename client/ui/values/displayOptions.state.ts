import { useSyncExternalStore } from 'react'
import { proxy, subscribe } from 'valtio'
import { remembered, yesOrNo } from '#client/ui/remembered.ts'
import { condensedName, condensedPath, nameLimit, pathLimit } from '#client/ui/text/condensed.ts'

const kept = {
  names: remembered('isNameCondensed', yesOrNo, false),
  paths: remembered('isPathCondensed', yesOrNo, false),
  hidden: remembered('showHiddenFoldersFileManagement', yesOrNo, false),
}
type DisplayOptions = Record<keyof typeof kept, boolean>

/** Display options kept in this browser: shortened names and paths, hidden folders. */
export const displayOptions = proxy<DisplayOptions>({
  names: kept.names.read(),
  paths: kept.paths.read(),
  hidden: kept.hidden.read(),
})

export function setDisplayOption(option: keyof DisplayOptions, isOn: boolean): void {
  displayOptions[option] = isOn
  kept[option].write(isOn)
}

function followWidth(tell: () => void) {
  window.addEventListener('resize', tell)
  return () => window.removeEventListener('resize', tell)
}
const follow = (tell: () => void) => subscribe(displayOptions, tell)
/** Cheaper than a valtio snapshot, since a scrolling list renders hundreds of texts per second. */
const useOption = (option: keyof DisplayOptions) => useSyncExternalStore(follow, () => displayOptions[option])
const useWindowWidth = () => useSyncExternalStore(followWidth, () => window.innerWidth)

/** A name, shortened according to the display options. */
export function useNameText(name: string): string {
  const isCondensed = useOption('names')
  const width = useWindowWidth()
  return isCondensed ? condensedName(name, nameLimit(width)) : name
}

/** A path, shortened according to the display options. */
export function usePathText(path: string): string {
  const isCondensed = useOption('paths')
  const width = useWindowWidth()
  return isCondensed ? condensedPath(path, pathLimit(width)) : path
}
