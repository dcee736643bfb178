import '@mantine/charts/styles.layer.css'
import type { ChartPart } from '../chartPart.ts'
import classes from './Drawn.module.css'

type HintProps = {
  parts: readonly ChartPart[]
  /** What is hovered over: set by the drawing. */
  label?: string | number
  payload?: readonly { name?: string | number }[]
}

/** What hovering over a part says. */
export function Hint({ parts, label, payload }: HintProps) {
  const part = parts.find(({ key }) => key === label) ?? parts.find(({ key }) => key === payload?.[0]?.name)
  if (!part) return null
  return (
    <div className={classes.hint}>
      <strong>{part.label}</strong>
      <span>{part.cells.join(' · ')}</span>
    </div>
  )
}
