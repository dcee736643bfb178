import { useEffect, useEffectEvent, useState } from 'react'
import classes from './News.module.css'

const atMostEvery = 10_000

/** One sentence in ten seconds for those who listen to the screen, never each change. */
export function News({ sentence }: { sentence: string }) {
  const [said, say] = useState('')
  const sayLatest = useEffectEvent(() => say(sentence))
  useEffect(() => {
    const timer = setInterval(() => sayLatest(), atMostEvery)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className={classes.heard} aria-live="polite">
      {said}
    </p>
  )
}
