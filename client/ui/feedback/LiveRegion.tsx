import { useEffect, useEffectEvent, useState } from 'react'

const minIntervalMs = 10_000

/** Announces at most one sentence every ten seconds to screen readers. */
export function LiveRegion({ sentence }: { sentence: string }) {
  const [announced, announce] = useState('')
  const sayLatest = useEffectEvent(() => announce(sentence))
  useEffect(() => {
    const timer = setInterval(() => sayLatest(), minIntervalMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className="unseen" aria-live="polite">
      {announced}
    </p>
  )
}
