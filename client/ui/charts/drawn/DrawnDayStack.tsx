import { AreaChart } from '@mantine/charts'
import { ReferenceLine } from 'recharts'
import { placeOf, valueTicks } from '#client/ui/charts/dayAxis.ts'
import type { DayMark, DayStackProps } from '#client/ui/charts/dayStackProps.ts'
import { colour } from '#client/ui/theme/roles.ts'
import { limitMarks } from './limitMarks.tsx'
import { usePickedDay } from './usePickedDay.tsx'

/** Loaded lazily with recharts. */
export function DrawnDayStack({ label, parts, layers, marks, limit, from, to, base, tickText, onPick }: DayStackProps) {
  const { chart, container, activePoint } = usePickedDay({ label, parts, from, to, onPick })
  const ticks = valueTicks({ parts, limit, base })
  return (
    <AreaChart
      h={240}
      type="stacked"
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
      dotProps={{ r: 2 }}
      areaProps={{ isAnimationActive: false }}
      yAxisProps={{ ticks, domain: [0, ticks.at(-1) || 1], width: 64, tickFormatter: tickText, interval: 0 }}
      areaChartProps={{ ...chart, margin: { top: 20, right: 8, bottom: 0, left: 0 } }}
      {...container}
    >
      {marks.map(markLine)}
      {limit && limitMarks(limit, ticks.at(-1) || 1)}
      {activePoint}
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
