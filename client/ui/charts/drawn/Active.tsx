import { useEffect, useEffectEvent } from 'react'
import { useActiveTooltipLabel } from 'recharts'

/** Tells which part the keyboard has reached, for the drawing keeps that to itself. */
export function Active({ onMove }: { onMove: (key: string | number | undefined) => void }) {
  const label = useActiveTooltipLabel()
  const tell = useEffectEvent(onMove)
  useEffect(() => tell(label), [label])
  return null
}
