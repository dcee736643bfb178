import { IconAlertOctagon, IconAlertTriangle } from '@tabler/icons-react'
import { percentText } from '#client/ui/text/count.ts'
import classes from './Volume.module.css'

const signs = { ok: undefined, warn: IconAlertTriangle, attention: IconAlertTriangle, critical: IconAlertOctagon }

/** A share of 1 in the colour of how much it is. */
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

type PercentLevel = 'ok' | 'warn' | 'attention' | 'critical'

/** How a share of 1 is judged on this screen, by its raw value: above 30 %, 50 % and 70 %. */
export const percentLevel = (share: number): PercentLevel =>
  share > 0.7 ? 'critical' : share > 0.5 ? 'attention' : share > 0.3 ? 'warn' : 'ok'
