import { type ComponentType, useEffect, useReducer } from 'react'
import { onceUsed } from './onceUsed.ts'
import { useEverOpen } from './useEverOpen.ts'

/**
 * A component whose chunk loads when it is first needed, or as soon as the user moves the pointer or presses a key. Unlike
 * React's `lazy`, it then appears at once: React would keep an empty fallback for 300 ms. A failed load fails the screen.
 */
export function onDemand<P extends object>(
  load: () => Promise<ComponentType<P>>,
  isNeeded: (props: P) => boolean,
): ComponentType<P> {
  let part: ComponentType<P> | undefined
  let failure: unknown
  let loading: Promise<void> | undefined
  const ready = () =>
    (loading ??= load().then(
      (loaded) => void (part = loaded),
      (error: unknown) => {
        failure = error
        loading = undefined
      },
    ))
  return function OnDemand(props: P) {
    const [, redraw] = useReducer((drawings: number) => drawings + 1, 0)
    const needed = useEverOpen(isNeeded(props))
    useEffect(() => {
      if (needed && !part) void ready().then(redraw)
    }, [needed])
    useEffect(() => onceUsed(() => void ready()), [])
    if (!needed) return null
    if (!part && failure !== undefined) throw failure
    const Part = part
    return Part ? <Part {...props} /> : null
  }
}
