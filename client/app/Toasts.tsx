import { Notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import '@mantine/notifications/styles.layer.css'
import { type Place, placeOf, places } from './toastPlace.ts'
import { mostToasts } from './toasts.ts'
import classes from './Toasts.module.css'

/** The messages that pass: at the lower right, or where they cover nothing that one may want to press. */
export function Toasts() {
  const frame = useRef<HTMLDivElement>(null)
  const [place, stand] = useState<Place>(places[0])
  useEffect(() => {
    const toasts = frame.current?.querySelector<HTMLElement>('[data-position="bottom-right"]')
    return toasts ? keepClear(toasts, stand) : undefined
  }, [])
  return (
    <div ref={frame}>
      <Notifications
        className={classes.toasts}
        data-place={place}
        position="bottom-right"
        withinPortal={false}
        limit={mostToasts}
        autoClose={8_000}
        containerWidth={380}
      />
    </div>
  )
}

/** What may bring something else to where the toasts are. */
const turns = ['focusin', 'click', 'scrollend', 'resize'] as const
/** How long what a turn opens may take to stand still, in milliseconds. */
const settleMs = 200

/** Tells where the toasts should be, whenever they or what lies below them changed. Gives back how to end that. */
function keepClear(toasts: HTMLElement, stand: (place: Place) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    // What is read or about to be closed stays where it is.
    if (!toasts.matches(':hover, :focus-within')) stand(placeOf(toasts))
  }
  const lookSoon = () => {
    if (toasts.offsetHeight === 0) return
    clearTimeout(timer)
    timer = setTimeout(look, settleMs)
  }
  const sizes = new ResizeObserver(look)
  sizes.observe(toasts)
  for (const turn of turns) addEventListener(turn, lookSoon, true)
  return () => {
    clearTimeout(timer)
    sizes.disconnect()
    for (const turn of turns) removeEventListener(turn, lookSoon, true)
  }
}
