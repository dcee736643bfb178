import { IconAlertOctagon, IconAlertTriangle } from '@tabler/icons-react'
import { percentText } from '../ui/text/count.ts'
import { percentLevel } from './percentLevel.ts'
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
