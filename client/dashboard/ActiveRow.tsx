import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import type { ActiveVolume } from '#events/storages.ts'
import { useLinks } from '../app/links.ts'
import { sizeSetting } from '../ui/sizeBase.state.ts'
import { signOf, wayOf } from '../ui/text/change.ts'
import { percentText } from '../ui/text/count.ts'
import { exactSize, sizeText } from '../ui/text/size.ts'
import { volumeName } from '../parts/storages/volumeWords.ts'
import classes from './MostActiveCard.module.css'

/** One storage: a bar to the right as it grew, or to the left as it shrank. `most` is the largest change of all. */
export function ActiveRow({ storage, most }: { storage: ActiveVolume; most: number }) {
  const links = useLinks()
  const { base } = useSnapshot(sizeSetting)
  const { id, variation, variationPercentage, indexingDate, previousIndexingDate } = storage
  const size = Math.abs(variation)
  const { value, unit } = sizeText(size, base)
  const hasGrown = variation > 0
  const sign = signOf(variation)
  const Arrow = hasGrown ? IconArrowUp : IconArrowDown
  return (
    <li>
      <Link
        className={classes.row}
        href={links.fileManagement({ path: '/', volumeId: id })}
        title={`${volumeName(storage)}: ${sign}${exactSize(size)} from ${previousIndexingDate} to ${indexingDate}`}
        data-way={wayOf(variation)}
      >
        <span className={classes.name}>{volumeName(storage)}</span>
        <span className={classes.bar} style={{ '--share': size / most } as CSSProperties} />
        <span className={classes.change}>
          <Arrow size={14} stroke={2} aria-hidden />
          {sign}
          {value} <span className={classes.unit}>{unit}</span>
        </span>
        <span className={classes.percent}>
          {variationPercentage === null ? 'from nothing' : `${sign}${percentText(Math.abs(variationPercentage) / 100)}`}
        </span>
      </Link>
    </li>
  )
}
