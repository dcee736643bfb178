import { useSyncExternalStore } from 'react'
import { proxy, subscribe } from 'valtio'
import type { SizeBase } from './text/size.ts'

const key = 'sizeBase'
const kept = typeof localStorage === 'undefined' ? null : localStorage.getItem(key)

/** In which powers this browser shows sizes. */
export const sizeSetting = proxy<{ base: SizeBase }>({ base: kept === '10' ? '10' : '2' })

const follow = (tell: () => void) => subscribe(sizeSetting, tell)
/** The powers for one size of many: a list that scrolls draws hundreds in a second, for which a snapshot each is too much. */
export const useSizeBase = (): SizeBase => useSyncExternalStore(follow, () => sizeSetting.base)

export function chooseSizeBase(base: SizeBase): void {
  sizeSetting.base = base
  localStorage.setItem(key, base)
}
