import { useEffect, useEffectEvent, useState } from 'react'

/** True while text is being composed, as in input methods for Japanese, Korean and Chinese. Only the focused field can do so. */
let isComposing = false

/**
 * Keeps keys of an input method away from the page: Enter confirms a word there, it submits nothing, and Escape closes no
 * dialog. Called once, before the page listens to keys. Returns a function that stops it.
 */
export function watchComposition(): () => void {
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  addEventListener('compositionstart', () => (isComposing = true), options)
  addEventListener('compositionend', () => (isComposing = false), options)
  addEventListener(
    'keydown',
    (event) => {
      // A field that is removed while composing sends no end.
      isComposing &&= belongsToComposition(event)
      if (belongsToComposition(event)) event.stopImmediatePropagation()
    },
    options,
  )
  return () => listening.abort()
}

/** Safari sends the key that confirms a word after the end of the composition, with the code of composed keys. */
const belongsToComposition = ({ isComposing, keyCode }: KeyboardEvent): boolean => isComposing || keyCode === 229

/** A function that runs when typing has paused, with the newest input. A composed text is complete by then. */
export function useTypedCallback<Input extends unknown[]>(callback: (...input: Input) => void, delayMs: number) {
  const newest = useEffectEvent(callback)
  const [timer] = useState(() => {
    let pending: ReturnType<typeof setTimeout> | undefined
    const cancel = () => clearTimeout(pending)
    const start = (run: () => void) => {
      cancel()
      pending = setTimeout(() => (isComposing ? start(run) : run()), delayMs)
    }
    return { start, cancel }
  })
  useEffect(() => timer.cancel, [timer])
  return Object.assign((...input: Input) => timer.start(() => newest(...input)), { cancel: timer.cancel })
}
