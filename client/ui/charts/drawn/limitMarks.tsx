import { ReferenceArea, ReferenceLine } from 'recharts'
import type { Limit } from '#client/ui/charts/dayLineProps.ts'
import { colour } from '#client/ui/theme/roles.ts'
import classes from './Drawn.module.css'

const labelStyle = { fontSize: 12, className: classes.limit ?? '' }

/**
 * Line of the limit, and a box above it up to the top of the axis. Plain elements instead of a component, since
 * recharts looks only at its direct children.
 */
export const limitMarks = ({ value, line, box }: Limit, top: number) => [
  box !== undefined && (
    <ReferenceArea
      key="box"
      y1={value}
      y2={top}
      fill={colour('usage-critical')}
      fillOpacity={0.12}
      label={{ ...labelStyle, value: box, position: 'insideTopLeft' }}
    />
  ),
  line !== undefined && (
    <ReferenceLine
      key="line"
      y={value}
      stroke={colour('usage-critical')}
      strokeDasharray="6 4"
      label={{ ...labelStyle, value: line, position: 'insideTopLeft' }}
    />
  ),
]
