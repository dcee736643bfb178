import { LineChart, type LineChartProps } from '@mantine/charts'
import { useRef } from 'react'
import { ReferenceArea, ReferenceLine } from 'recharts'
import { dayAxisProps, dayLineTicks, placeOf } from '#client/ui/charts/dayAxis.ts'
import type { DayLineProps, Limit } from '#client/ui/charts/dayLineProps.ts'
import { colour } from '#client/ui/theme/roles.ts'
import { ActivePoint } from './ActivePoint.tsx'
import { DayTooltip } from './ChartTooltip.tsx'
import { leavePointer } from './leavePointer.ts'
import { PointLabel } from './PointLabel.tsx'
import classes from './Drawn.module.css'

/** Dots are hidden above this number of points. */
const maxDots = 30

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
  const active = useRef<string | number>(undefined)
  const pick = (place: unknown) => {
    const part = parts.find(({ key, isPickable }) => isPickable && placeOf(key) === Number(place))
    if (part) onPick?.(part.key)
  }
  const ticks = dayLineTicks({ parts, limit, base })
  const [bottom, top] = [ticks[0] ?? 0, ticks.at(-1) || 1]
  return (
    <LineChart
      {...look}
      className={classes.chart}
      data={parts.map(({ key, value }) => ({ place: placeOf(key), value }))}
      dataKey="place"
      series={series}
      withDots={parts.length <= maxDots}
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
      xAxisProps={dayAxisProps(from, to)}
      yAxisProps={{ ticks, domain: [bottom, top], width: 64, tickFormatter: tickText, interval: 0 }}
      lineChartProps={{
        margin: { top: 8, right: 8, bottom: 0, left: 0 },
        desc: `${label}. Arrows move between the days, Enter opens one.`,
        onClick: ({ activeLabel }) => pick(activeLabel),
      }}
      tooltipProps={{ content: <DayTooltip parts={parts} />, isAnimationActive: false }}
      onKeyDown={({ key, currentTarget }) => {
        if (key.startsWith('Arrow')) leavePointer(currentTarget)
        if (key === 'Enter') pick(active.current)
      }}
      data-pickable={onPick !== undefined}
    >
      {limit && limitMarks(limit, top)}
      <ActivePoint
        onMove={(place) => {
          active.current = place
        }}
      />
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
