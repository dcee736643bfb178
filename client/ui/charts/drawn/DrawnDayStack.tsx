import { AreaChart } from '@mantine/charts'
import { useRef } from 'react'
import { ReferenceLine } from 'recharts'
import { dayAxisProps, placeOf, valueTicks } from '#client/ui/charts/dayAxis.ts'
import type { DayMark, DayStackProps } from '#client/ui/charts/dayStackProps.ts'
import { colour } from '#client/ui/theme/roles.ts'
import { ActivePoint } from './ActivePoint.tsx'
import { DayTooltip } from './ChartTooltip.tsx'
import { leavePointer } from './leavePointer.ts'
import classes from './Drawn.module.css'

/** Dots are hidden above this number of days. */
const maxDots = 30

/** Loaded lazily with recharts. */
export function DrawnDayStack({ label, parts, layers, marks, from, to, base, tickText, onPick }: DayStackProps) {
  const active = useRef<string | number>(undefined)
  const pick = (place: unknown) => {
    const part = parts.find(({ key, isPickable }) => isPickable && placeOf(key) === Number(place))
    if (part) onPick?.(part.key)
  }
  const ticks = valueTicks({ parts, base })
  return (
    <AreaChart
      h={240}
      type="stacked"
      className={classes.chart}
      data={parts.map(({ key }, day) => ({
        place: placeOf(key),
        ...Object.fromEntries(layers.map(({ key, values }) => [key, values[day] ?? 0])),
      }))}
      dataKey="place"
      series={layers.map(({ key, role }) => ({ name: key, color: colour(role) }))}
      gridAxis="x"
      tickLine="none"
      strokeDasharray="0"
      curveType="linear"
      fillOpacity={0.5}
      strokeWidth={1}
      withDots={parts.length <= maxDots}
      dotProps={{ r: 2 }}
      areaProps={{ isAnimationActive: false }}
      xAxisProps={dayAxisProps(from, to)}
      yAxisProps={{ ticks, domain: [0, ticks.at(-1) || 1], width: 64, tickFormatter: tickText, interval: 0 }}
      areaChartProps={{
        margin: { top: 20, right: 8, bottom: 0, left: 0 },
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
      {marks.map(markLine)}
      <ActivePoint
        onMove={(place) => {
          active.current = place
        }}
      />
    </AreaChart>
  )
}

/**
 * Vertical line for an event. A plain element instead of a component, since recharts looks only at its direct children.
 */
const markLine = ({ day, label }: DayMark) => (
  <ReferenceLine
    key={day}
    x={placeOf(day)}
    stroke={colour('text-2')}
    strokeDasharray="4 3"
    label={{ value: label, position: 'top', fontSize: 12 }}
  />
)
