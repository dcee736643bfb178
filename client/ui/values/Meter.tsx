import type { CSSProperties } from 'react'
import { percentText } from '#client/ui/text/count.ts'
import { type UsageLevel, usageLevel } from './usage.ts'
import classes from './Meter.module.css'

type MeterProps = {
  /** From 0 to 1. */
  share: number
  /** Name of the measured value. */
  label: string
  /** Severity, if it differs from the thresholds of storages. */
  level?: UsageLevel | 'attention'
  /** Taller, with the last tenth marked. */
  withRedZone?: boolean
}

/** A usage bar. */
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
