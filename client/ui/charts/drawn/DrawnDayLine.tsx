import { LineChart, type LineChartProps } from '@mantine/charts'
import { ReferenceArea, ReferenceLine } from 'recharts'
import { dayLineTicks, placeOf } from '#client/ui/charts/dayAxis.ts'
import type { DayLineProps, Limit } from '#client/ui/charts/dayLineProps.ts'
import { colour } from '#client/ui/theme/roles.ts'
import { usePickedDay } from './usePickedDay.tsx'
import { PointLabel } from './PointLabel.tsx'
import classes from './Drawn.module.css'

const look: Partial<LineChartProps> = {
  h: 240,
  gridAxis: 'x',
  tickLine: 'none',
  strokeDasharray: '0',
  curveType: 'linear',
  dotProps: { r: 3 },
}
const series = [{ name: 'value', color: colour('usage-ok') }]

/** Loaded lazily with recharts. */
export function DrawnDayLine({ label, parts, from, to, base, tickText, limit, onPick }: DayLineProps) {
  const { chart, container, activePoint } = usePickedDay({ label, parts, from, to, onPick })
  const ticks = dayLineTicks({ parts, limit, base })
  const [bottom, top] = [ticks[0] ?? 0, ticks.at(-1) || 1]
  return (
    <LineChart
      {...look}
      data={parts.map(({ key, value }) => ({ place: placeOf(key), value }))}
      dataKey="place"
      series={series}
      lineProps={{
        label: (
          <PointLabel
            parts={parts}
            from={from}
            to={to}
            limitAt={limit?.line === undefined ? undefined : (limit.value - bottom) / (top - bottom)}
          />
        ),
      }}
      yAxisProps={{ ticks, domain: [bottom, top], width: 64, tickFormatter: tickText, interval: 0 }}
      lineChartProps={{ ...chart, margin: { top: 8, right: 8, bottom: 0, left: 0 } }}
      {...container}
    >
      {limit && limitMarks(limit, top)}
      {activePoint}
    </LineChart>
  )
}

const labelStyle = { fontSize: 12, className: classes.limit ?? '' }

/**
 * Line of the limit, and a box above it up to the top of the axis. Plain elements instead of a component, since
 * recharts looks only at its direct children.
 */
const limitMarks = ({ value, line, box }: Limit, top: number) => [
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
