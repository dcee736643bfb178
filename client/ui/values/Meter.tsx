import type { CSSProperties } from 'react'
import { percentText } from '#client/ui/text/count.ts'
import { type UsageLevel, usageLevel } from './usage.ts'
import classes from './Meter.module.css'

type MeterProps = {
  /** Of 1. */
  share: number
  /** What is measured. */
  label: string
  /** How the share is judged, where that is not as storages are. */
  level?: UsageLevel | 'attention'
  /** It is tall, and its last tenth is marked. */
  withRedZone?: boolean
}

/** A bar that says how full something is. */
export function Meter({ share, label, level = usageLevel(share), withRedZone = false }: MeterProps) {
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
      data-level={level}
      data-red-zone={withRedZone || undefined}
      style={{ '--share': filled } as CSSProperties}
    >
      <div className={classes.fill} />
    </div>
  )
}
