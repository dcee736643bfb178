import { usePlotArea } from 'recharts'
import type { ChartPart } from '../chartPart.ts'
import { isLabelled, labelStep } from '../dayAxis.ts'
import classes from './Drawn.module.css'

/** What a value takes on the line, in pixels. */
const room = 72

type PointLabelProps = {
  parts: readonly ChartPart[]
  /** Where the point is: set by the drawing. */
  x?: string | number
  y?: string | number
  index?: number
}

/** The value of a point above it, where there is room for it. */
export function PointLabel({ parts, x, y, index = 0 }: PointLabelProps) {
  const plot = usePlotArea()
  const step = labelStep(parts.length, plot && Math.floor(plot.width / room))
  if (x === undefined || y === undefined || !isLabelled(index, parts.length, step)) return null
  return (
    <text x={Number(x)} y={Number(y) - 9} className={classes.label} textAnchor="middle">
      {parts[index]?.text}
    </text>
  )
}
