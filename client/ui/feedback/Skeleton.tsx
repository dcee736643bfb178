import type { CSSProperties } from 'react'
import classes from './Skeleton.module.css'

type SkeletonProps = {
  rows?: number
  height?: number
  /** Adds its own padding. */
  isInset?: boolean
}

/** Placeholder while data loads. Appears after 150 ms, so that quick responses don't flicker. */
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
