import type { GrowthPoint } from '#events/wall.ts'
import { useSizeText } from './WallFigure.tsx'
import classes from './Boards.module.css'

/** Total size of all files over thirty days as an area chart. */
export function GrowthArea({ points }: { points: readonly GrowthPoint[] }) {
  const text = useSizeText()
  const [first] = points
  const last = points.at(-1)
  if (!first || !last || first === last) {
    return <p className={classes.empty}>Growth appears after the second snapshot</p>
  }
  const sizeOf = (bytes: number) => Object.values(text(bytes)).join(' ')
  const { line, area, high } = areaOf(points)
  return (
    <figure className={classes.growth}>
      <span className={classes.tick}>{sizeOf(high)}</span>
      <svg
        className={classes.area}
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={`From ${sizeOf(first.sizeOfFiles)} on ${first.indexingDate} to ${sizeOf(last.sizeOfFiles)} on ${last.indexingDate}`}
      >
        <path className={classes.hair} d="M0 0H100M0 50H100M0 100H100" vectorEffect="non-scaling-stroke" />
        <path className={classes.shade} d={area} />
        <path className={classes.line} d={line} vectorEffect="non-scaling-stroke" />
      </svg>
      <span className={classes.tick}>{sizeOf(0)}</span>
      <figcaption className={classes.days}>
        <span>{first.indexingDate}</span>
        <span>{last.indexingDate}</span>
      </figcaption>
    </figure>
  )
}

/**
 * SVG paths of an area in a 100 by 100 square, and the top of its axis `high` in bytes. The axis starts at zero, and a
 * constant size is a level line.
 */
export function areaOf(points: readonly GrowthPoint[]): { line: string; area: string; high: number } {
  const sizes = points.map(({ sizeOfFiles }) => sizeOfFiles)
  const high = Math.max(...sizes)
  const days = points.map(({ indexingDate }) => Date.parse(indexingDate))
  const [begin = 0] = days
  const span = (days.at(-1) ?? begin) - begin || 1
  const at = points.map(({ sizeOfFiles }, i) => {
    const x = (((days[i] ?? begin) - begin) / span) * 100
    const y = 100 - (sizeOfFiles / (high || 1)) * 100
    return `${round(x)} ${round(y)}`
  })
  const line = `M${at.join('L')}`
  return { line, area: `${line}V100H0Z`, high }
}

const round = (value: number) => Math.round(value * 100) / 100
