import { useEffectEvent, useLayoutEffect } from 'react'
import { useActiveTooltipLabel } from 'recharts'

/** Reports the part that keyboard navigation is at, which recharts exposes only through a hook. */
export function ActivePoint({ onMove }: { onMove: (key: string | number | undefined) => void }) {
  const label = useActiveTooltipLabel()
  const notify = useEffectEvent(onMove)
  // A layout effect, so that it runs before the next key press.
  useLayoutEffect(() => notify(label), [label])
  return null
}
