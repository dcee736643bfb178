import { proxy } from 'valtio'
import { remembered, yesOrNo } from '#client/ui/remembered.ts'

const pinned = remembered('railPinned', yesOrNo, false)

/** The navigation stays expanded next to the content if pinned. */
export const rail = proxy({ isPinned: pinned.read() })

export function pinRail(isPinned: boolean): void {
  rail.isPinned = isPinned
  pinned.write(isPinned)
}
