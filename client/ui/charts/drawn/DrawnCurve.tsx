import { LineChart } from '@mantine/charts'
import { useRef } from 'react'
import { ReferenceLine } from 'recharts'
import type { CurveProps } from '#client/ui/charts/curveProps.ts'
import { roundTicks } from '#client/ui/charts/ticks.ts'
import { colour } from '#client/ui/theme/roles.ts'
import { ActivePoint } from './ActivePoint.tsx'
import { ChartTooltip } from './ChartTooltip.tsx'
import { leavePointer } from './leavePointer.ts'
import classes from './Drawn.module.css'

/** Loaded lazily with recharts. */
export function DrawnCurve({ label, parts, lines, base, tickText, picked, onPick }: CurveProps) {
  const active = useRef<string | number>(undefined)
  const pick = (key: string | number | undefined) => {
    if (parts.some((part) => part.key === key)) onPick(String(key))
  }
  const ticks = roundTicks(Math.max(0, ...lines.flatMap(({ values }) => values.map((value = 0) => value))), base)
  return (
    <LineChart
      h={200}
      className={classes.chart}
      data={parts.map(({ key }, at) => ({
        key,
        ...Object.fromEntries(lines.map((line) => [line.key, line.values[at]])),
      }))}
      dataKey="key"
      series={lines.map(({ key, role }) => ({ name: key, color: colour(role) }))}
      gridAxis="x"
      tickLine="none"
      strokeDasharray="0"
      curveType="linear"
      dotProps={{ r: 3 }}
      xAxisProps={{
        tickFormatter: (key: string) => parts.find((part) => part.key === key)?.short ?? key,
        padding: { left: 16, right: 16 },
      }}
      yAxisProps={{ ticks, domain: [0, ticks.at(-1) || 1], width: 64, tickFormatter: tickText, interval: 0 }}
      lineChartProps={{
        margin: { top: 8, right: 8, bottom: 0, left: 0 },
        desc: `${label}. Arrows move between the points, Enter chooses one.`,
        onClick: ({ activeLabel }) => pick(activeLabel),
      }}
      tooltipProps={{ content: <ChartTooltip parts={parts} />, isAnimationActive: false }}
      onKeyDown={({ key, currentTarget }) => {
        if (key.startsWith('Arrow')) leavePointer(currentTarget)
        if (key === 'Enter') pick(active.current)
      }}
      data-pickable
    >
      <ReferenceLine x={picked} stroke={colour('accent')} strokeDasharray="4 3" />
      <ActivePoint
        onMove={(key) => {
          active.current = key
        }}
      />
    </LineChart>
  )
}
