import { proxy } from 'valtio'

const key = 'railPinned'

/** Whether the navigation stays open beside the content. */
export const rail = proxy({ isPinned: localStorage.getItem(key) === 'true' })

export function pinRail(isPinned: boolean): void {
  rail.isPinned = isPinned
  localStorage.setItem(key, String(isPinned))
}
