import type { CSSProperties } from 'react'
import classes from './ChangeBar.module.css'

type ChangeBarProps = {
  /** How much it is of the largest change that is shown. */
  share: number
  isThin?: boolean
  className?: string | undefined
}

/**
 * A bar from the middle: to the right for what grew, to the left for what shrank. It stands right in what says so as `data-way`,
 * and has the colour `--way` of that.
 */
export const ChangeBar = ({ share, isThin = false, className }: ChangeBarProps) => (
  <span
    className={[classes.bar, className].join(' ')}
    data-thin={isThin}
    style={{ '--share': share } as CSSProperties}
    aria-hidden
  />
)
