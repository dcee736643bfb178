import { useState } from 'react'
import { toastFailure } from './toasts.ts'

/** An action that takes a while: whether it is under way, and a failure as a toast. */
export function useBusy<A extends unknown[]>(act: (...input: A) => Promise<void>): [boolean, (...input: A) => void] {
  const [busy, setBusy] = useState(false)
  const run = (...input: A) => {
    setBusy(true)
    act(...input)
      .catch(toastFailure)
      .finally(() => setBusy(false))
  }
  return [busy, run]
}
