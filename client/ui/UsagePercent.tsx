import { IconAlertOctagon, IconAlertTriangle } from '@tabler/icons-react'
import { percentText } from './text/count.ts'
import { usageLevel } from './usage.ts'
import classes from './UsagePercent.module.css'

/** How full a storage is, of 1, in the colour and with the sign of how much that is. */
export function UsagePercent({ share }: { share: number }) {
  const level = usageLevel(share)
  return (
    <span className={classes.percent} data-level={level}>
      {level === 'warn' && <IconAlertTriangle size={14} stroke={1.5} aria-label="Nearly full" />}
      {level === 'critical' && <IconAlertOctagon size={14} stroke={1.5} aria-label="Full or almost" />}
      {percentText(share)}
    </span>
  )
}
