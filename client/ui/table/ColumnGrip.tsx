import { type PointerEvent as ReactPointerEvent, useRef } from 'react'
import { minColumnWidth, maxColumnWidth } from './chosenColumns.ts'
import classes from './ColumnGrip.module.css'

/** Step of the arrow keys, in pixels. */
const stepPx = 16

type ColumnGripProps = { title: string; onWidth: (width: number) => void }

/** Resize handle of a column. Works by dragging or with arrow keys. */
export function ColumnGrip({ title, onWidth }: ColumnGripProps) {
  const grip = useRef<HTMLButtonElement>(null)
  const widthNow = () => grip.current?.parentElement?.getBoundingClientRect().width ?? 0
  const set = (width: number) => onWidth(Math.round(Math.min(maxColumnWidth, Math.max(minColumnWidth, width))))
  const drag = (event: ReactPointerEvent<HTMLButtonElement>) => {
    event.preventDefault()
    const { currentTarget, pointerId, clientX } = event
    const before = widthNow()
    currentTarget.setPointerCapture(pointerId)
    const move = (moved: PointerEvent) => set(before + moved.clientX - clientX)
    const end = () => currentTarget.removeEventListener('pointermove', move)
    currentTarget.addEventListener('pointermove', move)
    currentTarget.addEventListener('lostpointercapture', end, { once: true })
  }
  return (
    <button
      ref={grip}
      type="button"
      aria-label={`Width of ${title}`}
      title="Drag it, or use the arrow keys"
      className={classes.grip}
      onPointerDown={drag}
      onKeyDown={(event) => {
        const sign = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
        if (sign === undefined) return
        event.preventDefault()
        event.stopPropagation()
        set(widthNow() + sign * stepPx)
      }}
    />
  )
}
