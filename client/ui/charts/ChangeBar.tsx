import type { CSSProperties } from 'react'
import classes from './ChangeBar.module.css'

type ChangeBarProps = {
  /** Share of the largest change shown. */
  share: number
  isThin?: boolean
  className?: string | undefined
}

/**
 * A bar that starts in the middle: right for growth, left for shrinkage. The parent element sets `data-way` and the
 * color `--way`.
 */
export const ChangeBar = ({ share, isThin = false, className }: ChangeBarProps) => (
  <span
    className={[classes.bar, className].join(' ')}
    data-thin={isThin}
    style={{ '--share': share } as CSSProperties}
    aria-hidden
  />
)
