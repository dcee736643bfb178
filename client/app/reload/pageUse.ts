/** Milliseconds on the clock of the page, which is not corrected as that of the machine is. */
let usedAt = -Infinity
let typedOn: string | undefined

const address = () => `${location.pathname}${location.search}`

/** Records when the page is used, and where something was typed. Returns a function that stops it. */
export function watchUse(): () => void {
  const use = () => void (usedAt = performance.now())
  const type = () => {
    use()
    typedOn = address()
  }
  const uses = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const
  for (const name of uses) window.addEventListener(name, use, { passive: true, capture: true })
  window.addEventListener('input', type, true)
  return () => {
    for (const name of uses) window.removeEventListener(name, use, true)
    window.removeEventListener('input', type, true)
    typedOn = undefined
    usedAt = -Infinity
  }
}

/** True if a reload may lose something: text typed on this screen, or an open dialog. */
export const hasUnsavedWork = (): boolean =>
  typedOn === address() || document.querySelector('[role="dialog"], [role="alertdialog"]') !== null

/** True if a reload would disturb someone: the page was used a moment ago, or has unsaved work. */
export const isInUse = (idleMs: number): boolean => performance.now() - usedAt < idleMs || hasUnsavedWork()
