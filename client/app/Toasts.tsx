import { Notifications } from '@mantine/notifications'
import { useEffect, useRef, useState } from 'react'
import '@mantine/notifications/styles.layer.css'
import { type Place, placeOf, places } from './toastPlace.ts'
import { maxToasts } from './toasts.ts'
import classes from './Toasts.module.css'

/** Toasts at the lower right, or at another place where they cover no controls. */
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
        limit={maxToasts}
        autoClose={8_000}
        containerWidth={380}
      />
    </div>
  )
}

/** Events that may put other content under the toasts. */
const turns = ['focusin', 'click', 'scrollend', 'resize'] as const
/** Time for menus and dialogs to finish opening, in milliseconds. */
const settleMs = 200

/** Reports the best place whenever the toasts or the content below change. Returns a function that stops it. */
function keepClear(toasts: HTMLElement, stand: (place: Place) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    // Don't move a toast that the user is reading or about to close.
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
