import { BarChart } from '@mantine/charts'
import { useRef } from 'react'
import type { ColumnsProps } from '#client/ui/charts/columnsProps.ts'
import { roundTicks } from '#client/ui/charts/ticks.ts'
import { colour } from '#client/ui/theme/roles.ts'
import { ActivePoint } from './ActivePoint.tsx'
import { ChartTooltip } from './ChartTooltip.tsx'
import { leavePointer } from './leavePointer.ts'
import classes from './Drawn.module.css'

const bars = {
  isAnimationActive: false,
  radius: [2, 2, 0, 0] as [number, number, number, number],
  minPointSize: (value: unknown) => (value ? 2 : 0),
  // Makes the area above a bar clickable.
  background: { fill: 'transparent' },
}

/** Loaded lazily with recharts. */
export function DrawnColumns({ label, parts, base, tickText, onPick }: ColumnsProps) {
  const active = useRef<string | number>(undefined)
  const partOf = (key: unknown) => parts.find((part) => part.key === key)
  const pick = (key: unknown) => {
    const part = partOf(key)
    if (part?.isPickable) onPick?.(part.key)
  }
  const ticks = roundTicks(Math.max(0, ...parts.map(({ value }) => value)), base)
  return (
    <BarChart
      h={240}
      className={classes.chart}
      data={parts.map(({ key, value, role }) => ({ key, value, color: colour(role) }))}
      dataKey="key"
      series={[{ name: 'value', color: colour('category-1') }]}
      gridAxis="x"
      tickLine="none"
      strokeDasharray="0"
      maxBarWidth={44}
      xAxisProps={{
        tickFormatter: (key: string) => partOf(key)?.short ?? '',
        minTickGap: 6,
        // Keeps the label of the newest column.
        interval: 'preserveStartEnd',
      }}
      yAxisProps={{ ticks, domain: [0, ticks.at(-1) ?? 1], width: 64, tickFormatter: tickText, interval: 0 }}
      barProps={{ ...bars, onClick: (bar) => pick((bar.payload as { key: string } | undefined)?.key) }}
      barChartProps={{
        margin: { top: 8, right: 8, bottom: 0, left: 0 },
        desc: `${label}. Arrows move between the bars, Enter opens one.`,
      }}
      tooltipProps={{
        content: <ChartTooltip parts={parts} />,
        isAnimationActive: false,
        cursor: { fill: colour('hover'), fillOpacity: 1 },
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key.startsWith('Arrow')) leavePointer(currentTarget)
        if (key === 'Enter') pick(active.current)
      }}
      data-pickable={onPick !== undefined}
    >
      <ActivePoint
        onMove={(key) => {
          active.current = key
        }}
      />
    </BarChart>
  )
}
