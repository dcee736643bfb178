import { useEffect, useEffectEvent, useRef } from 'react'

const atMostEvery = 1_000
/** What comes in one burst is one change. */
const burst = 150

/** Acts after `count` grew, at most once a second, however often it grows. */
export function useThrottled(count: number, act: () => void): void {
  const done = useRef({ count, at: 0 })
  const actNow = useEffectEvent(act)
  useEffect(() => {
    if (count === done.current.count) return
    const wait = Math.max(burst, done.current.at + atMostEvery - Date.now())
    const timer = setTimeout(() => {
      done.current = { count, at: Date.now() }
      actNow()
    }, wait)
    return () => clearTimeout(timer)
  }, [count])
}
