import type { KeyboardEvent, PointerEvent as ReactPointerEvent } from 'react'
import { minColumnWidth, maxColumnWidth } from './chosenColumns.ts'
import classes from './ColumnGrip.module.css'

/** Step of the arrow keys, in pixels. */
const stepPx = 16

type SetWidth = (width: number) => void

const widthOf = (within: Element | null): number => within?.closest('th')?.getBoundingClientRect().width ?? 0
const limited = (width: number): number => Math.round(Math.min(maxColumnWidth, Math.max(minColumnWidth, width)))

/** Changes the width of a column with Shift and the arrow keys at its title. */
export function resizeByKey(event: KeyboardEvent<HTMLElement>, onWidth: SetWidth): void {
  const sign = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (sign === undefined || !event.shiftKey) return
  event.preventDefault()
  event.stopPropagation()
  onWidth(limited(widthOf(event.currentTarget) + sign * stepPx))
}

/** Resize handle of a column, for the mouse only: at its title, Shift and the arrow keys do the same. */
export function ColumnGrip({ onWidth }: { onWidth: SetWidth }) {
  const drag = (event: ReactPointerEvent<HTMLSpanElement>) => {
    event.preventDefault()
    const { currentTarget, pointerId, clientX } = event
    const before = widthOf(currentTarget)
    currentTarget.setPointerCapture(pointerId)
    const move = (moved: PointerEvent) => onWidth(limited(before + moved.clientX - clientX))
    const end = () => currentTarget.removeEventListener('pointermove', move)
    currentTarget.addEventListener('pointermove', move)
    currentTarget.addEventListener('lostpointercapture', end, { once: true })
  }
  return (
    <span
      aria-hidden
      title="Drag it, or use Shift and the arrow keys at the title"
      className={classes.grip}
      onPointerDown={drag}
    />
  )
}
