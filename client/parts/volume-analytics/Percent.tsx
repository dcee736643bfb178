import { IconAlertOctagon, IconAlertTriangle } from '@tabler/icons-react'
import { percentText } from '#client/ui/text/count.ts'
import classes from './Percent.module.css'

const signs = { low: undefined, ok: undefined, attention: IconAlertTriangle, critical: IconAlertOctagon }

/** A percentage in the color of its severity. */
export function Percent({ share }: { share: number }) {
  const level = percentLevel(share)
  const Sign = signs[level]
  return (
    <span className={classes.percent} data-level={level}>
      {Sign && <Sign size={14} stroke={1.5} aria-hidden />}
      {percentText(share)}
    </span>
  )
}

type PercentLevel = 'low' | 'ok' | 'attention' | 'critical'

/**
 * Severity of a share on this screen: thresholds are 30 %, 50 % and 70 %, for the unrounded value. Up to half is no reason to
 * warn.
 */
export const percentLevel = (share: number): PercentLevel =>
  share > 0.7 ? 'critical' : share > 0.5 ? 'attention' : share > 0.3 ? 'ok' : 'low'

/** Severity for a meter, which has one color up to half. */
export function meterLevel(share: number): Exclude<PercentLevel, 'low'> {
  const level = percentLevel(share)
  return level === 'low' ? 'ok' : level
}
