import { useSnapshot } from 'valtio'
import type { StorageTrend } from '#events/dashboard.ts'
import { changeWords } from '#client/ui/text/change.ts'
import { sizeWords } from '#client/ui/text/size.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import classes from './TrendLine.module.css'

const width = 72
const height = 22

/** Used bytes by day, where known; the size of the files of a storage that never reports them, such as a bucket. */
export function trendOf(points: StorageTrend['points']): { what: string; known: { day: string; value: number }[] } {
  const isReported = points.some(({ used }) => used !== null)
  const known = points.flatMap(({ indexingDate: day, used, sizeOfFiles }) => {
    const value = isReported ? used : sizeOfFiles
    return value === null ? [] : [{ day, value }]
  })
  return { what: isReported ? 'used' : 'of files', known }
}

/** Used capacity of a storage over time, as a line with a text alternative. */
export function TrendLine({ name, points }: { name: string; points: StorageTrend['points'] }) {
  const { base } = useSnapshot(sizeSetting)
  const { what, known } = trendOf(points)
  const [first, last] = [known[0], known.at(-1)]
  if (!first || !last) return <span className="muted small wide-only">Unknown</span>
  if (first === last) return <span className="muted small wide-only">Only one snapshot so far</span>
  const text = (bytes: number) => sizeWords(bytes, base)
  const change = last.value - first.value
  return (
    <span className="row gap-8">
      <svg
        className={classes.line}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name}: ${text(first.value)} ${what} on ${first.day}, ${text(last.value)} on ${last.day}`}
      >
        <polyline points={trendPoints(known, width, height)} vectorEffect="non-scaling-stroke" />
      </svg>
      <span className="muted small wide-only">{change === 0 ? 'No change' : changeWords(change, base)}</span>
    </span>
  )
}

const margin = 2

/** SVG points of a line through daily values, with days to scale and the smallest value at the bottom. */
export function trendPoints(values: readonly { day: string; value: number }[], width: number, height: number): string {
  const days = values.map(({ day }) => Date.parse(day))
  const min = Math.min(...values.map(({ value }) => value))
  const max = Math.max(...values.map(({ value }) => value))
  const [first = 0, last = 0] = [days[0], days.at(-1)]
  return values
    .map(({ value }, index) => {
      const along = last === first ? 0 : ((days[index] ?? first) - first) / (last - first)
      const up = max === min ? 0.5 : (value - min) / (max - min)
      return `${(along * width).toFixed(1)},${(height - margin - up * (height - 2 * margin)).toFixed(1)}`
    })
    .join(' ')
}
