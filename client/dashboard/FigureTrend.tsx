import { useSnapshot } from 'valtio'
import type { FiguresAtDate } from '#events/overview/history.ts'
import { changeWords, signOf } from '#client/ui/text/change.ts'
import { countText } from '#client/ui/text/count.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { trendPoints } from '#client/parts/storages/TrendLine.tsx'
import classes from './FigureTrend.module.css'

type FigureTrendProps = {
  history: readonly FiguresAtDate[]
  /** Value of the figure on a date; null if unknown. */
  of: (figures: FiguresAtDate) => number | null
  /** Bytes by default. */
  isCount?: boolean
}

const width = 48
const height = 14

/** Change of a figure since the first date, with a line. Empty without two known dates. */
export function FigureTrend({ history, of, isCount = false }: FigureTrendProps) {
  const { base } = useSnapshot(sizeSetting)
  const known = history.flatMap((figures) => {
    const value = of(figures)
    return value === null ? [] : [{ day: figures.indexingDate, value }]
  })
  const [first, last] = [known[0], known.at(-1)]
  // Without the newest date, the line would not end at the figure.
  if (!first || !last || first === last || last.day !== history.at(-1)?.indexingDate) return null
  const change = last.value - first.value
  const amount = isCount ? `${signOf(change)}${countText(Math.abs(change))}` : changeWords(change, base)
  return (
    <span className="row muted small gap-6">
      <svg className={classes.line} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
        <polyline points={trendPoints(known, width, height)} vectorEffect="non-scaling-stroke" />
      </svg>
      <span className="break">
        {change === 0 ? 'No change' : amount} <time className="nowrap">since {first.day}</time>
      </span>
    </span>
  )
}
