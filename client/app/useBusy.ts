import { useLayoutEffect, useState } from 'react'
import { toastFailure } from './toasts.ts'

/** An action that takes a while: whether it is under way, and a failure as a toast. */
export function useBusy<A extends unknown[]>(act: (...input: A) => Promise<void>): [boolean, (...input: A) => void] {
  const [underWay, setUnderWay] = useState<{ focused: Element | null }>()
  useFocusKept(underWay?.focused)
  const run = (...input: A) => {
    // Looked at now: what is drawn as busy may lose the focus at once.
    setUnderWay({ focused: document.activeElement })
    act(...input)
      .catch(toastFailure)
      .finally(() => setUnderWay(undefined))
  }
  return [underWay !== undefined, run]
}

/** What cannot be used meanwhile loses the focus: it has it again afterwards, unless something else has. */
function useFocusKept(focused: Element | null | undefined): void {
  useLayoutEffect(() => {
    if (!(focused instanceof HTMLElement)) return undefined
    const giveBack = () => {
      if (document.activeElement === document.body) focused.focus({ preventScroll: true })
    }
    // A dialog that closes when it is done gives it back first, in the next frame.
    return () => {
      requestAnimationFrame(() => requestAnimationFrame(giveBack))
    }
  }, [focused])
}
