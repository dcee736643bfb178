import type { CSSProperties } from 'react'
import classes from './Skeleton.module.css'

type SkeletonProps = {
  rows?: number
  height?: number
  /** Whether it keeps off the edges itself, where nothing around it does. */
  isInset?: boolean
}

/** The shape of what is on its way; it shows itself after 150 ms, so that quick answers do not flicker. */
export function Skeleton({ rows = 4, height = 32, isInset = false }: SkeletonProps) {
  return (
    <div
      className={classes.skeleton}
      aria-hidden
      data-inset={isInset}
      style={{ '--row': `${height}px` } as CSSProperties}
    >
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes.row}>
          <span />
          <span />
        </div>
      ))}
    </div>
  )
}
