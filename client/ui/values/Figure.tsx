import { type ReactNode, useState } from 'react'
import { useRolling } from './useRolling.ts'
import classes from './Figure.module.css'

type FigureProps = {
  /** If it contains a link, the whole figure is clickable. */
  label: ReactNode
  /** Undefined while loading, null if unknown. */
  value: number | undefined | null
  text: (value: number) => { value: string; unit: string }
  /** Tooltip with the exact number. */
  exact?: (value: number) => string
  note?: ReactNode
  /** Change of the value over time; null while it loads, so that its room is kept. */
  trend?: ReactNode
  /** Partial totals are a lower bound. */
  atLeast?: boolean
}

export function Figures({ children }: { children: ReactNode }) {
  return <dl className={classes.figures}>{children}</dl>
}

/** A large number with its label. */
export function Figure({ label, value, text, exact, note, trend, atLeast = false }: FigureProps) {
  const shown = useRolling(value ?? undefined)
  const shownNote = useNoteOf(note, shown === (value ?? undefined))
  const { value: digits, unit } = shown === undefined ? { value: '-', unit: '' } : text(shown)
  return (
    <div className={classes.figure}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.value} data-live title={typeof value === 'number' ? exact?.(value) : undefined}>
        {shown === undefined && value !== null ? (
          <span className={classes.waiting} aria-hidden />
        ) : (
          <>
            {atLeast && <span className={classes.unit}>≥ </span>}
            {digits}
            {unit && <span className={classes.unit}> {unit}</span>}
          </>
        )}
      </dd>
      <dd className={`faint small break ${classes.note}`}>{shownNote || '\u00a0'}</dd>
      {trend !== undefined && <dd className={`small ${classes.trend}`}>{trend}</dd>}
    </div>
  )
}

/** Delays a new note until the new number has arrived, so that both refer to the same moment. */
function useNoteOf(note: ReactNode, hasArrived: boolean): ReactNode {
  const [last, keep] = useState(note)
  if (typeof note !== 'string') return note
  if (hasArrived && note !== last) keep(note)
  return hasArrived ? note : last
}
