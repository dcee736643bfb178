import { useEffect, useEffectEvent, useRef } from 'react'

/**
 * Calls `close` on Escape, unless a field, list or dialog above uses the key. Returns a ref for an element in the dialog.
 */
export function useEscape(opened: boolean, close: () => void) {
  const inside = useRef<HTMLDivElement>(null)
  const act = useEffectEvent(close)
  useEffect(() => {
    if (!opened) return undefined
    // Open lists are closed before the event arrives at the window again.
    let own: KeyboardEvent | undefined
    const look = (event: KeyboardEvent) => {
      own = event.key === 'Escape' && isFor(inside.current, event.target) ? event : undefined
    }
    const press = (event: KeyboardEvent) => {
      if (event === own && !event.defaultPrevented) act()
    }
    window.addEventListener('keydown', look, true)
    window.addEventListener('keydown', press)
    return () => {
      window.removeEventListener('keydown', look, true)
      window.removeEventListener('keydown', press)
    }
  }, [opened])
  return inside
}

/** True if the dialog of an element is the topmost, and the focus is in it or nowhere, but not in a field with an open list. */
function isFor(inside: Element | null, target: EventTarget | null): boolean {
  const dialog = inside?.closest('[role="dialog"]')
  const top = [...document.querySelectorAll('[role="dialog"][aria-modal="true"]')].at(-1)
  if (!dialog || dialog !== top || !(target instanceof Element)) return false
  const isInList = target.getAttribute('data-mantine-stop-propagation') === 'true'
  return !isInList && (target === document.body || dialog.contains(target))
}
