import '@mantine/charts/styles.layer.css'
import type { ChartPart } from '#client/ui/charts/chartPart.ts'
import { dayAt } from '#client/ui/charts/dayAxis.ts'
import classes from './Drawn.module.css'

type ChartTooltipProps = {
  parts: readonly ChartPart[]
  /** What is hovered over: set by the drawing. */
  label?: string | number
  payload?: readonly { name?: string | number }[]
}

/** What hovering over a part says. */
export function ChartTooltip({ parts, label, payload }: ChartTooltipProps) {
  const part = parts.find(({ key }) => key === label) ?? parts.find(({ key }) => key === payload?.[0]?.name)
  if (!part) return null
  return (
    <div className={classes.hint}>
      <strong>{part.label}</strong>
      <span>{part.cells.join(' · ')}</span>
    </div>
  )
}

/** The same of days; `label` is where on the axis one hovers. */
export const DayTooltip = ({ parts, label }: Pick<ChartTooltipProps, 'parts' | 'label'>) => (
  <ChartTooltip parts={parts} label={label === undefined ? '' : dayAt(Number(label))} />
)
