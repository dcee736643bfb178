import { useSyncExternalStore } from 'react'
import { proxy, subscribe } from 'valtio'
import { oneOf, remembered } from '#client/ui/remembered.ts'
import type { SizeBase } from '#client/ui/text/size.ts'

const kept = remembered<SizeBase>('sizeBase', oneOf(['2', '10']), '2')

/** Units of sizes, kept in this browser. */
export const sizeSetting = proxy({ base: kept.read() })

const follow = (tell: () => void) => subscribe(sizeSetting, tell)
/** Cheaper than a valtio snapshot, since a scrolling list renders hundreds of sizes per second. */
export const useSizeBase = (): SizeBase => useSyncExternalStore(follow, () => sizeSetting.base)

export function chooseSizeBase(base: SizeBase): void {
  sizeSetting.base = base
  kept.write(base)
}
