import { useLayoutEffect, useState } from 'react'
import { toastFailure } from './toasts/toasts.ts'

/** Runs an action, reports whether it is in progress, and shows an error as a toast. */
export function useBusy<A extends unknown[]>(act: (...input: A) => Promise<void>): [boolean, (...input: A) => void] {
  const [underWay, setUnderWay] = useState<{ focused: Element | null }>()
  useFocusKept(underWay?.focused)
  const run = (...input: A) => {
    // Read now, since a disabled button may lose the focus immediately.
    setUnderWay({ focused: document.activeElement })
    act(...input)
      .catch(toastFailure)
      .finally(() => setUnderWay(undefined))
  }
  return [underWay !== undefined, run]
}

/** A disabled control loses the focus. Restores it afterwards, unless another element has it. */
function useFocusKept(focused: Element | null | undefined): void {
  useLayoutEffect(() => {
    if (!(focused instanceof HTMLElement)) return undefined
    const giveBack = () => {
      if (document.activeElement === document.body) focused.focus({ preventScroll: true })
    }
    // A dialog that closes restores the focus first, in the next frame.
    return () => {
      requestAnimationFrame(() => requestAnimationFrame(giveBack))
    }
  }, [focused])
}
