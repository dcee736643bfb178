import '@mantine/charts/styles.layer.css'
import type { ChartPart } from '#client/ui/charts/chartPart.ts'
import { dayAt } from '#client/ui/charts/dayAxis.ts'
import classes from './Drawn.module.css'

type ChartTooltipProps = {
  parts: readonly ChartPart[]
  /** Hovered part; set by recharts. */
  label?: string | number
  payload?: readonly { name?: string | number }[]
}

/** Tooltip of a part. */
export function ChartTooltip({ parts, label, payload }: ChartTooltipProps) {
  const part = parts.find(({ key }) => key === label) ?? parts.find(({ key }) => key === payload?.[0]?.name)
  if (!part) return null
  return (
    <div className={classes.hint}>
      <strong className="ellipsis bold">{part.label}</strong>
      <span className="muted">{part.cells.join(' · ')}</span>
    </div>
  )
}

/** Tooltip of a day; `label` is a position on the day axis. */
export const DayTooltip = ({ parts, label }: Pick<ChartTooltipProps, 'parts' | 'label'>) => (
  <ChartTooltip parts={parts} label={label === undefined ? '' : dayAt(Number(label))} />
)
