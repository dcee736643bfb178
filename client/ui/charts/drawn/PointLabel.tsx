import { usePlotArea } from 'recharts'
import type { ChartPart } from '#client/ui/charts/chartPart.ts'
import { labelledPoints, placeOf, roomyDomain } from '#client/ui/charts/dayAxis.ts'
import classes from './Drawn.module.css'

/** What a value takes on the line, in pixels. */
const room = 72

type PointLabelProps = {
  parts: readonly ChartPart[]
  /** The first and the last day of the axis. */
  from: string
  to: string
  /** Where the point is: set by the drawing. */
  x?: string | number
  y?: string | number
  index?: number
}

/** The value of a point above it, where there is room for it. */
export function PointLabel({ parts, from, to, x, y, index = 0 }: PointLabelProps) {
  const plot = usePlotArea()
  if (!plot || x === undefined || y === undefined) return null
  const [first, last] = roomyDomain(placeOf(from), placeOf(to))
  const days = (room / plot.width) * (last - first)
  if (
    !labelledPoints(
      parts.map(({ key }) => placeOf(key)),
      days,
    ).has(index)
  )
    return null
  return (
    <text x={Number(x)} y={Number(y) - 9} className={classes.label} textAnchor="middle">
      {parts[index]?.text}
    </text>
  )
}
