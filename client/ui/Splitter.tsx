import type { PointerEvent as ReactPointerEvent } from 'react'
import classes from './Splitter.module.css'

type SplitterProps = {
  label: string
  /** Share of the part below, from 0 to 1. */
  share: number
  min: number
  max: number
  onShare: (share: number) => void
}

const percent = (share: number): number => Math.round(share * 100)

/** Changes the heights of the parts above and below it: by dragging, or with the arrow keys, Home and End. */
export function Splitter({ label, share, min, max, onShare }: SplitterProps) {
  const set = (next: number) => onShare(Math.min(max, Math.max(min, next)))
  const drag = (event: ReactPointerEvent<HTMLInputElement>) => {
    const { currentTarget, pointerId } = event
    const box = currentTarget.parentElement?.getBoundingClientRect()
    if (!box) return
    // Otherwise the input follows the horizontal position of the pointer.
    event.preventDefault()
    currentTarget.setPointerCapture(pointerId)
    const move = ({ clientY }: PointerEvent) => set((box.bottom - clientY) / box.height)
    const end = () => currentTarget.removeEventListener('pointermove', move)
    currentTarget.addEventListener('pointermove', move)
    currentTarget.addEventListener('lostpointercapture', end, { once: true })
  }
  return (
    <input
      type="range"
      className={classes.splitter}
      aria-label={label}
      aria-orientation="vertical"
      min={percent(min)}
      max={percent(max)}
      step={5}
      value={percent(share)}
      onChange={({ currentTarget }) => set(Number(currentTarget.value) / 100)}
      onPointerDown={drag}
      onMouseDown={(event) => event.preventDefault()}
    />
  )
}
