import { useLayoutEffect, useState } from 'react'
import { toastFailure } from './toasts.ts'

/** An action that takes a while: whether it is under way, and a failure as a toast. */
export function useBusy<A extends unknown[]>(act: (...input: A) => Promise<void>): [boolean, (...input: A) => void] {
  const [busy, setBusy] = useState(false)
  useFocusKept(busy)
  const run = (...input: A) => {
    setBusy(true)
    act(...input)
      .catch(toastFailure)
      .finally(() => setBusy(false))
  }
  return [busy, run]
}

/** What cannot be used meanwhile loses the focus: it has it again afterwards, unless something else has. */
function useFocusKept(busy: boolean): void {
  useLayoutEffect(() => {
    const before = document.activeElement
    if (!busy || !(before instanceof HTMLElement)) return undefined
    const giveBack = () => {
      if (document.activeElement === document.body) before.focus({ preventScroll: true })
    }
    // A dialog that closes when it is done gives it back first, in the next frame.
    return () => {
      requestAnimationFrame(() => requestAnimationFrame(giveBack))
    }
  }, [busy])
}
