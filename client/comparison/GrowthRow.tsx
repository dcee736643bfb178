import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Growth } from '#events/comparison.ts'
import { useLinks } from '#client/app/links.ts'
import { EntryName } from '#client/parts/entry-text/EntryName.tsx'
import { visible } from '#client/ui/text/visible.ts'
import { ChangeBar } from '#client/ui/charts/ChangeBar.tsx'
import { signOf, directionOf } from '#client/ui/text/change.ts'
import { counted } from '#client/ui/text/count.ts'
import { Change } from './Change.tsx'
import type { ComparedPlace } from './comparisonAddress.ts'
import type { GrowthPart } from './growthParts.ts'
import classes from './Growth.module.css'

type GrowthRowProps = {
  part: GrowthPart
  growth: Growth
  /** Largest change of all rows. */
  max: number
  place: ComparedPlace
  previousDate: string
}

/** A part with its change as a bar: right for growth, left for shrinkage. */
export function GrowthRow({ part, growth: { growth, filesGrowth }, max, place, previousDate }: GrowthRowProps) {
  const href = useHref(part, place, previousDate)
  return (
    <li>
      <Row href={href} way={directionOf(growth)} title={visible(part.label)}>
        <span className={classes.name}>
          {part.storage !== undefined && <span className={classes.quiet}>{part.storage} / </span>}
          <EntryName name={part.label} />
        </span>
        <Change bytes={growth} />
        <ChangeBar share={Math.abs(growth) / Math.max(1, max)} isThin />
        <span className={classes.quiet}>
          {filesGrowth === 0 ? 'as many files' : `${signOf(filesGrowth)}${counted(Math.abs(filesGrowth), 'file')}`}
        </span>
      </Row>
    </li>
  )
}

/** Link to the comparison of the part's folder, or to its files among the differences. */
function useHref({ folder, files }: GrowthPart, { volumeId, path }: ComparedPlace, previousDate: string) {
  const links = useLinks()
  if (folder) return links.comparison({ ...folder, previousDate })
  if (!files) return undefined
  const where = volumeId === undefined ? {} : { volumeId, path }
  return links.comparison({ ...where, previousDate, by: files.name, [files.name]: files.word })
}

type RowProps = { href: string | undefined; way: string; title: string; children: ReactNode }

const Row = ({ href, way, title, children }: RowProps) =>
  href === undefined ? (
    <div className={classes.row} data-way={way} title={title}>
      {children}
    </div>
  ) : (
    <Link href={href} className={`hover focus-inside ${classes.row}`} data-way={way} title={title}>
      {children}
    </Link>
  )
