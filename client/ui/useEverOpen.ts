import { useState } from 'react'

/** Whether something is open or was before: what is expensive to draw is drawn when it is first opened. */
export function useEverOpen(isOpen: boolean): boolean {
  const [wasOpen, note] = useState(isOpen)
  if (isOpen && !wasOpen) note(true)
  return isOpen || wasOpen
}
