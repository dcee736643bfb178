import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { ChangeBar } from '#client/ui/charts/ChangeBar.tsx'
import { changePercent, directionOf, signOf } from '#client/ui/text/change.ts'
import { exactSize, sizeText } from '#client/ui/text/size.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import classes from './MostActiveCard.module.css'

/** Change of a size in bytes. The percentage is relative to the size before; null if that was zero. */
export type Activity = {
  id: number
  name: string
  href: string
  variation: number
  percentage: number | null
  /** Such as `in 30 days`. */
  period: string
}

/** Bar to the right for growth, to the left for shrinkage. `max` is the largest change of all rows. */
export function ActiveRow({ row, max }: { row: Activity; max: number }) {
  const { base } = useSnapshot(sizeSetting)
  const { name, href, variation, percentage, period } = row
  const size = Math.abs(variation)
  const { value, unit } = sizeText(size, base)
  const sign = signOf(variation)
  const Arrow = variation > 0 ? IconArrowUp : IconArrowDown
  return (
    <li>
      <Link
        className={classes.row}
        href={href}
        title={`${name}: ${sign}${exactSize(size)} ${period}`}
        data-way={directionOf(variation)}
      >
        <span className={`truncate strong ${classes.name}`}>{name}</span>
        <ChangeBar share={size / max} />
        <span className={classes.change}>
          <Arrow size={14} stroke={2} aria-hidden />
          {sign}
          {value} <span className="muted">{unit}</span>
        </span>
        <span className={`ellipsis muted ${classes.percent}`}>
          {percentage === null ? 'new' : changePercent(percentage / 100)}
        </span>
      </Link>
    </li>
  )
}
