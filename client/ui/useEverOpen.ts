import { useState } from 'react'

/** True after the first opening, so that expensive content is rendered only when needed. */
export function useEverOpen(isOpen: boolean): boolean {
  const [wasOpen, note] = useState(isOpen)
  if (isOpen && !wasOpen) note(true)
  return isOpen || wasOpen
}
