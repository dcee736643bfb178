import { useLayoutEffect } from 'react'

/** Gives the focus back, once what is open closes or goes away, to what had it when that opened; also where it was drawn open from the first. */
export function useFocusBack(opened: boolean): void {
  useLayoutEffect(() => {
    const before = document.activeElement
    if (!opened || !(before instanceof HTMLElement)) return undefined
    return () => {
      const last = document.activeElement
      requestAnimationFrame(() => {
        const now = document.activeElement
        // Whoever went elsewhere meanwhile stays there.
        if (now === last || now === null || now === document.body) before.focus({ preventScroll: true })
      })
    }
  }, [opened])
}
