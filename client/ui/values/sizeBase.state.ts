import { useSyncExternalStore } from 'react'
import { proxy, subscribe } from 'valtio'
import { oneOf, remembered } from '#client/ui/remembered.ts'
import type { SizeBase } from '#client/ui/text/size.ts'

const kept = remembered<SizeBase>('sizeBase', oneOf(['2', '10']), '2')

/** In which powers this browser shows sizes. */
export const sizeSetting = proxy({ base: kept.read() })

const follow = (tell: () => void) => subscribe(sizeSetting, tell)
/** The powers for one size of many: a list that scrolls draws hundreds in a second, for which a snapshot each is too much. */
export const useSizeBase = (): SizeBase => useSyncExternalStore(follow, () => sizeSetting.base)

export function chooseSizeBase(base: SizeBase): void {
  sizeSetting.base = base
  kept.write(base)
}
