import { useSnapshot } from 'valtio'
import type { StorageTrend } from '#events/dashboard.ts'
import { sizeSetting } from '../ui/sizeBase.state.ts'
import { changeWords } from '../ui/text/change.ts'
import { sizeWords } from '../ui/text/size.ts'
import { trendPoints } from './trendPoints.ts'
import classes from './VolumesCard.module.css'

const width = 120
const height = 22

/** How the used capacity of a storage went, as a line and in words. */
export function TrendLine({ name, points }: { name: string; points: StorageTrend['points'] }) {
  const { base } = useSnapshot(sizeSetting)
  const known = points.flatMap(({ indexingDate, used }) => (used === null ? [] : [{ day: indexingDate, value: used }]))
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last) return <span className={classes.change}>Unknown</span>
  if (first === last) return <span className={classes.change}>One date so far</span>
  const words = (bytes: number) => sizeWords(bytes, base)
  const change = last.value - first.value
  return (
    <span className={classes.trend}>
      <svg
        className={classes.line}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name}: ${words(first.value)} used on ${first.day}, ${words(last.value)} on ${last.day}`}
      >
        <polyline points={trendPoints(known, width, height)} vectorEffect="non-scaling-stroke" />
      </svg>
      <span className={classes.change}>{change === 0 ? 'No change' : changeWords(change, base)}</span>
    </span>
  )
}
