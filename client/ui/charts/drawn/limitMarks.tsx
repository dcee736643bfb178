import { ReferenceArea, ReferenceLine } from 'recharts'
import { colour } from '../../../app/theme/roles.ts'
import type { Limit } from '../dayLineProps.ts'
import classes from './Drawn.module.css'

const words = { fontSize: 12, className: classes.limit ?? '' }

/** Where a limit lies and what is beyond it, up to the top of the axis. Charts find such marks among their own children only. */
export const limitMarks = ({ value, line, box }: Limit, top: number) => [
  box !== undefined && (
    <ReferenceArea
      key="box"
      y1={value}
      y2={top}
      fill={colour('usage-critical')}
      fillOpacity={0.12}
      label={{ ...words, value: box, position: 'insideTopLeft' }}
    />
  ),
  line !== undefined && (
    <ReferenceLine
      key="line"
      y={value}
      stroke={colour('usage-critical')}
      strokeDasharray="6 4"
      label={{ ...words, value: line, position: 'insideTopLeft' }}
    />
  ),
]
