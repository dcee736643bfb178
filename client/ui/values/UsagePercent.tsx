import { IconAlertOctagon, IconAlertTriangle } from '@tabler/icons-react'
import { percentText } from '#client/ui/text/count.ts'
import { type UsageLevel, usageLevel } from './usage.ts'
import classes from './UsagePercent.module.css'

type UsagePercentProps = {
  /** From 0 to 1. */
  share: number
  /** Severity, if it differs from the thresholds of storages. */
  level?: UsageLevel | 'attention'
}

/** Usage as a percentage, with color and icon for its severity. */
export function UsagePercent({ share, level = usageLevel(share) }: UsagePercentProps) {
  return (
    <span className={classes.percent} data-level={level}>
      {(level === 'warn' || level === 'attention') && (
        <IconAlertTriangle size={14} stroke={1.5} aria-label="Nearly full" />
      )}
      {level === 'critical' && <IconAlertOctagon size={14} stroke={1.5} aria-label="Full or almost full" />}
      {percentText(share)}
    </span>
  )
}
