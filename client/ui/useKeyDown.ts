import { useEffect, useEffectEvent } from 'react'

/** Calls `press` for keys anywhere on the page. With `capture`, before the elements of the page get them. */
export function useKeyDown(press: (event: KeyboardEvent) => void, capture = false): void {
  const newest = useEffectEvent(press)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => newest(event)
    window.addEventListener('keydown', listen, { capture })
    return () => window.removeEventListener('keydown', listen, { capture })
  }, [capture])
}
