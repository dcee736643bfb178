import { useEffectEvent, useLayoutEffect } from 'react'
import { useActiveTooltipLabel } from 'recharts'

/** Tells which part the keyboard has reached, for the drawing keeps that to itself. */
export function ActivePoint({ onMove }: { onMove: (key: string | number | undefined) => void }) {
  const label = useActiveTooltipLabel()
  const tell = useEffectEvent(onMove)
  // Before the next key is pressed.
  useLayoutEffect(() => tell(label), [label])
  return null
}
