import { useEffect, useRef, useState } from 'react'

const rollMs = 300
const minIntervalMs = 2_000

/** Animates a value to its new value in 300 ms, at most once every 2 seconds. */
export function useRolling(value: number | undefined): number | undefined {
  const [shown, show] = useState(value)
  const rolled = useRef({ from: value, endedAt: 0 })

  useEffect(() => {
    const last = rolled.current
    const arrive = () => {
      rolled.current = { from: value, endedAt: performance.now() }
      show(value)
    }
    if (value === undefined || last.from === undefined || value === last.from || !mayMove()) return arrive()
    const from = last.from
    let frame = 0
    const begin = () => {
      const began = performance.now()
      const step = (now: number) => {
        const part = Math.min(1, Math.max(0, (now - began) / rollMs))
        if (part === 1) return arrive()
        const at = from + (value - from) * part
        rolled.current.from = at
        show(at)
        frame = requestAnimationFrame(step)
      }
      frame = requestAnimationFrame(step)
    }
    const timer = setTimeout(begin, Math.max(0, last.endedAt + minIntervalMs - performance.now()))
    return () => {
      clearTimeout(timer)
      cancelAnimationFrame(frame)
    }
  }, [value])

  return shown
}

const mayMove = () => !document.hidden && !matchMedia('(prefers-reduced-motion: reduce)').matches
