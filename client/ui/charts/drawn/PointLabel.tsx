import { usePlotArea } from 'recharts'
import type { ChartPart } from '#client/ui/charts/chartPart.ts'
import { labelAt, labelledPoints, placeOf, roomyDomain } from '#client/ui/charts/dayAxis.ts'

/** Horizontal space of a label, in pixels. */
const room = 72

type PointLabelProps = {
  parts: readonly ChartPart[]
  /** First and last day of the axis. */
  from: string
  to: string
  /** Height of a line with words at its left end, as a share of the axis; undefined without one. */
  limitAt?: number | undefined
  /** Position of the point; set by recharts. */
  x?: string | number
  y?: string | number
  index?: number
}

/** Value above a point, if there is room. */
export function PointLabel({ parts, from, to, limitAt, x, y, index = 0 }: PointLabelProps) {
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
  const limitY = limitAt === undefined ? undefined : plot.y + plot.height * (1 - limitAt)
  return (
    <text
      x={Number(x)}
      y={labelAt({ x: Number(x) - plot.x, y: Number(y), limitY })}
      className="small"
      textAnchor="middle"
    >
      {parts[index]?.text}
    </text>
  )
}
