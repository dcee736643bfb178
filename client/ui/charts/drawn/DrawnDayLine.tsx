import { LineChart, type LineChartProps } from '@mantine/charts'
import { useRef } from 'react'
import { colour } from '../../../app/theme/roles.ts'
import { dayAt, dayTicks, dayTickText, placeOf, roomyDomain, valueTicks } from '../dayAxis.ts'
import type { DayLineProps } from '../dayLineProps.ts'
import { Active } from './Active.tsx'
import { Hint } from './Hint.tsx'
import { leavePointer } from './leavePointer.ts'
import { limitMarks } from './limitMarks.tsx'
import { PointLabel } from './PointLabel.tsx'
import classes from './Drawn.module.css'

/** More points have no dots. */
const mostDots = 30

const look: Partial<LineChartProps> = {
  h: 240,
  gridAxis: 'x',
  tickLine: 'none',
  strokeDasharray: '0',
  curveType: 'linear',
  dotProps: { r: 3 },
}
const series = [{ name: 'value', color: colour('usage-ok') }]

/** The part of the charts that is loaded when one is shown. */
export function DrawnDayLine({ label, parts, from, to, base, tickText, limit, onPick }: DayLineProps) {
  const active = useRef<string | number>(undefined)
  const pick = (place: unknown) => {
    const part = parts.find(({ key, isPickable }) => isPickable && placeOf(key) === Number(place))
    if (part) onPick?.(part.key)
  }
  const ticks = valueTicks({ parts, limit, base })
  const top = ticks.at(-1) || 1
  return (
    <LineChart
      {...look}
      className={classes.chart}
      data={parts.map(({ key, value }) => ({ place: placeOf(key), value }))}
      dataKey="place"
      series={series}
      withDots={parts.length <= mostDots}
      lineProps={{ label: <PointLabel parts={parts} from={from} to={to} /> }}
      xAxisProps={dayAxis(from, to)}
      yAxisProps={{ ticks, domain: [0, top], width: 64, tickFormatter: tickText, interval: 0 }}
      lineChartProps={{
        margin: { top: 8, right: 8, bottom: 0, left: 0 },
        desc: `${label}. Arrows move between the days, Enter opens one.`,
        onClick: ({ activeLabel }) => pick(activeLabel),
      }}
      tooltipProps={{ content: <DayHint parts={parts} />, isAnimationActive: false }}
      onKeyDown={({ key, currentTarget }) => {
        if (key.startsWith('Arrow')) leavePointer(currentTarget)
        if (key === 'Enter') pick(active.current)
      }}
      data-pickable={onPick !== undefined}
    >
      {limit && limitMarks(limit, top)}
      <Active
        onMove={(place) => {
          active.current = place
        }}
      />
    </LineChart>
  )
}

const dayAxis = (from: string, to: string) => ({
  type: 'number' as const,
  domain: roomyDomain(placeOf(from), placeOf(to)),
  ticks: dayTicks(from, to),
  tickFormatter: (place: number) => dayTickText(place, { from, to }),
  interval: 'equidistantPreserveStart' as const,
  minTickGap: 6,
})

/** `label` is where on the axis one hovers: set by the drawing. */
const DayHint = ({ parts, label }: Pick<DayLineProps, 'parts'> & { label?: string | number }) => (
  <Hint parts={parts} label={label === undefined ? '' : dayAt(Number(label))} />
)
