import { useEffectEvent, useLayoutEffect } from 'react'
import type { Player } from './usePlayer.ts'

/** Keyboard shortcuts of the player. They are not active in fields, dialogs and the navigation. */
export function useReplayKeys(player: Player): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !isOurs(event)) return
    const act = actions(player)[event.key]
    if (!act) return
    // The table would handle Home, End and the arrow keys.
    event.preventDefault()
    event.stopPropagation()
    act()
  })
  // In the frame that shows the player, so that no key is lost.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen, { capture: true })
    return () => document.removeEventListener('keydown', listen, { capture: true })
  }, [])
}

const actions = (player: Player): Record<string, () => void> => ({
  ' ': player.toggle,
  ArrowLeft: player.back,
  ArrowRight: player.forward,
  Home: player.toStart,
  End: player.toEnd,
  ',': player.previousFailure,
  '.': player.nextFailure,
})

/** Space belongs to buttons, arrow keys to tabs, and all keys to fields. */
function isOurs({ target, key }: KeyboardEvent): boolean {
  const element = target instanceof Element ? target : undefined
  if (!element) return true
  if (element.closest('input, textarea, select, [role="dialog"], nav')) return false
  if (element.closest('[role="tab"]') && key !== ',' && key !== '.') return false
  return !(key === ' ' && element.closest('button, a'))
}
