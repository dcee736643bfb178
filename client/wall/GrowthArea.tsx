import type { GrowthPoint } from '#events/wall.ts'
import { areaOf } from './area.ts'
import { useSizeText } from './WallFigure.tsx'
import classes from './Boards.module.css'

/** The size of all files through thirty days, as an area. */
export function GrowthArea({ points }: { points: readonly GrowthPoint[] }) {
  const text = useSizeText()
  const [first] = points
  const last = points.at(-1)
  if (!first || !last || first === last) {
    return <p className={classes.empty}>Growth is shown from the second snapshot on</p>
  }
  const sizeOf = (bytes: number) => Object.values(text(bytes)).join(' ')
  const { line, area, low, high } = areaOf(points)
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
      <span className={classes.tick}>{sizeOf(low)}</span>
      <figcaption className={classes.days}>
        <span>{first.indexingDate}</span>
        <span>{last.indexingDate}</span>
      </figcaption>
    </figure>
  )
}
