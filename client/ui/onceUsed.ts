/** Calls back at the first use of pointer or keyboard. Returns a function that cancels it. */
export function onceUsed(act: () => void): () => void {
  const events = ['pointermove', 'pointerdown', 'keydown'] as const
  const end = () => events.forEach((event) => window.removeEventListener(event, use))
  const use = () => {
    end()
    act()
  }
  events.forEach((event) => window.addEventListener(event, use, { passive: true }))
  return end
}
