import { type KeyboardEvent, useState } from 'react'

/** Hint below a password field while Caps Lock is on, and the handlers that notice it. */
export function useCapsLock() {
  const [isOn, set] = useState(false)
  const look = (event: KeyboardEvent) => set(event.getModifierState('CapsLock'))
  return { hint: isOn ? 'Caps Lock is on.' : undefined, handlers: { onKeyDown: look, onKeyUp: look } }
}
