import { useEffect, useState } from 'react'
import { shiftAt } from './rotation.ts'

/** How far the picture is moved, so that nothing burns into the display; in vmin, another way each minute. */
export function useShift(): { x: number; y: number } {
  const [shift, move] = useState(() => shiftAt(Date.now()))
  useEffect(() => {
    const timer = setInterval(() => move(shiftAt(Date.now())), 60_000)
    return () => clearInterval(timer)
  }, [])
  return shift
}
