import type { CSSProperties } from 'react'
import { percentText } from './text/count.ts'
import { usageLevel } from './usage.ts'
import classes from './Meter.module.css'

/** A bar that says how full something is. `share` is of 1; `label` names what is measured. */
export function Meter({ share, label }: { share: number; label: string }) {
  const filled = Math.min(1, Math.max(0, share))
  return (
    <div
      className={classes.meter}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- browsers draw the native meter each in their own way
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(filled * 1000) / 10}
      aria-valuetext={percentText(share)}
      data-level={usageLevel(share)}
      style={{ '--share': filled } as CSSProperties}
    >
      <div className={classes.fill} />
    </div>
  )
}
