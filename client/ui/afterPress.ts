let isPressed = false
let waiting: (() => unknown)[] = []

function end(): void {
  isPressed = false
  const acts = waiting
  waiting = []
  // The click follows the release.
  setTimeout(() => acts.forEach((act) => act()))
}

if (typeof addEventListener === 'function') {
  addEventListener('pointerdown', () => void (isPressed = true), { capture: true })
  for (const type of ['pointerup', 'pointercancel']) addEventListener(type, end, { capture: true })
}

/**
 * Acts at once, or after the click while the pointer is pressed. A message that appears earlier moves what is under the pointer,
 * so the button is released over something else and no click happens.
 */
export function afterPress(act: () => unknown): void {
  if (isPressed) waiting.push(act)
  else act()
}
