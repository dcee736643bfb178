import { useState } from 'react'

/** Whether something is open or was before. */
export function useEverOpen(isOpen: boolean): boolean {
  const [wasOpen, note] = useState(isOpen)
  if (isOpen && !wasOpen) note(true)
  return isOpen || wasOpen
}
