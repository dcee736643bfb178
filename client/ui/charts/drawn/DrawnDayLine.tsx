import { LineChart, type LineChartProps } from '@mantine/charts'
import { dayLineTicks, placeOf } from '#client/ui/charts/dayAxis.ts'
import type { DayLineProps } from '#client/ui/charts/dayLineProps.ts'
import { colour } from '#client/ui/theme/roles.ts'
import { limitMarks } from './limitMarks.tsx'
import { usePickedDay } from './usePickedDay.tsx'
import { PointLabel } from './PointLabel.tsx'

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
