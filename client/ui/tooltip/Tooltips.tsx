import { type CSSProperties, useLayoutEffect, useRef, useState } from 'react'
import { tooltipId, useHint } from './useHint.ts'
import classes from './Tooltips.module.css'

/** Distance from the element and from the edges of the window, in pixels. */
const gap = 6

/** The tooltip of the page: the `title` of the element under the pointer, with the focus, or touched. */
export function Tooltips() {
  const hint = useHint()
  return hint && <Tooltip key={hint.text} {...hint} />
}

type Place = { x: number; y: number }

function Tooltip({ element, text }: { element: Element; text: string }) {
  const tooltip = useRef<HTMLDivElement>(null)
  const [place, put] = useState<Place>()
  useLayoutEffect(() => {
    if (tooltip.current) put(placeAt(element.getBoundingClientRect(), tooltip.current.getBoundingClientRect()))
  }, [element])
  const style = place && ({ '--x': `${place.x}px`, '--y': `${place.y}px` } as CSSProperties)
  return (
    <div ref={tooltip} id={tooltipId} role="tooltip" className={classes.tooltip} style={style}>
      {text}
    </div>
  )
}

/** Below the element, or above it where there is no room, within the window. */
function placeAt(element: DOMRect, { width, height }: DOMRect): Place {
  const below = element.bottom + gap
  const x = element.left + element.width / 2 - width / 2
  return {
    x: Math.max(gap, Math.min(x, innerWidth - width - gap)),
    y: below + height + gap <= innerHeight ? below : Math.max(gap, element.top - height - gap),
  }
}
