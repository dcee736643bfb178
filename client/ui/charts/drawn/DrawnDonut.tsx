import { DonutChart } from '@mantine/charts'
import type { PieLabelRenderProps } from 'recharts'
import { type ChartPart, minLabeledShare, type OnPick, shareText } from '#client/ui/charts/chartPart.ts'
import { colour } from '#client/ui/theme/roles.ts'
import { ChartTooltip } from './ChartTooltip.tsx'
import classes from './Drawn.module.css'

type DrawnDonutProps = { parts: readonly ChartPart[]; total: string; onPick: OnPick }

/** Loaded lazily with recharts. */
export function DrawnDonut({ parts, total, onPick }: DrawnDonutProps) {
  const slices = parts.filter(({ value }) => value > 0)
  return (
    <DonutChart
      className={classes.chart}
      size={160}
      thickness={30}
      strokeWidth={slices.length > 1 ? 2 : 0}
      strokeColor={colour('surface')}
      data={slices.map(({ key, value, role }) => ({ name: key, value, color: colour(role) }))}
      chartLabel={total}
      withLabels
      withLabelsLine={false}
      accessibilityLayer={false}
      pieProps={{
        label: ({ index, ...at }: PieLabelRenderProps) => {
          const slice = slices[index ?? -1]
          return slice ? percentLabel(at, shareText(slice, parts)) : null
        },
        rootTabIndex: -1,
        startAngle: 90,
        endAngle: -270,
        onClick: (_, place) => onPick(slices[place]?.key ?? ''),
      }}
      tooltipProps={{ content: <ChartTooltip parts={slices} />, isAnimationActive: false }}
    />
  )
}

/** Share of a slice next to it, if the slice is large enough. */
function percentLabel({ x, y, cx, percent = 0 }: Omit<PieLabelRenderProps, 'index'>, text: string) {
  if (percent < minLabeledShare) return null
  return (
    <text
      x={x}
      y={y}
      className="small"
      textAnchor={Math.abs(Number(x) - Number(cx)) < 12 ? 'middle' : Number(x) > Number(cx) ? 'start' : 'end'}
      dominantBaseline="central"
    >
      {text}
    </text>
  )
}
