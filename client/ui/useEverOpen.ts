import { useState } from 'react'

/** True once something has been open, so that its expensive parts are drawn when it is first opened. */
export function useEverOpen(isOpen: boolean): boolean {
  const [wasOpen, note] = useState(isOpen)
  if (isOpen && !wasOpen) note(true)
  return isOpen || wasOpen
}
