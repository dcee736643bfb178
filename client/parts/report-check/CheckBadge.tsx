import { IconAlertOctagon, IconAlertTriangle, IconCircleCheck, IconHelpCircle, type Icon } from '@tabler/icons-react'
import type { CheckState } from '#events/reports/templates.ts'
import { StatusBadge, type Tone } from '#client/ui/values/StatusBadge.tsx'
import classes from './CheckBadge.module.css'

const checkLooks: Record<CheckState, { icon: Icon; tone: Tone; word: string }> = {
  PASSED: { icon: IconCircleCheck, tone: 'good', word: 'Passed' },
  UNKNOWN: { icon: IconHelpCircle, tone: 'attention', word: 'Not evaluated' },
  WARNING: { icon: IconAlertTriangle, tone: 'attention', word: 'Warning' },
  FAILED: { icon: IconAlertOctagon, tone: 'critical', word: 'Failed' },
}

type CheckBadgeProps = {
  check: { state: CheckState; reason: string }
  /** Only the icon on small screens. Its words are still read out. */
  isShort?: boolean
}

/** Result of a report's check, with the reason as tooltip. */
export function CheckBadge({ check: { state, reason }, isShort }: CheckBadgeProps) {
  const { icon, tone, word } = checkLooks[state]
  return (
    <span className={classes.check} title={reason}>
      <StatusBadge icon={icon} tone={tone}>
        <span className={isShort ? classes.short : undefined}>{`Check ${word.toLowerCase()}`}</span>
      </StatusBadge>
    </span>
  )
}
