import { IconAlertOctagon, IconAlertTriangle } from '@tabler/icons-react'
import { percentText } from '#client/ui/text/count.ts'
import { type UsageLevel, usageLevel } from './usage.ts'
import classes from './UsagePercent.module.css'

type UsagePercentProps = {
  /** Of 1. */
  share: number
  /** How the share is judged, where that is not as storages are. */
  level?: UsageLevel | 'attention'
}

/** How full something is, in the colour and with the sign of how much that is. */
export function UsagePercent({ share, level = usageLevel(share) }: UsagePercentProps) {
  return (
    <span className={classes.percent} data-level={level}>
      {(level === 'warn' || level === 'attention') && (
        <IconAlertTriangle size={14} stroke={1.5} aria-label="Nearly full" />
      )}
      {level === 'critical' && <IconAlertOctagon size={14} stroke={1.5} aria-label="Full or almost" />}
      {percentText(share)}
    </span>
  )
}
