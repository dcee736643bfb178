import { lazy, Suspense } from 'react'
import type { ChartPart, OnPick } from './chartPart.ts'
import classes from './Columns.module.css'

const DrawnColumns = lazy(() => import('./drawn/DrawnColumns.tsx').then((m) => ({ default: m.DrawnColumns })))

export type ColumnsProps = {
  label: string
  parts: readonly ChartPart[]
  /** The base of the units that the axis is divided by: 1 for numbers of things. */
  base: number
  tickText: (value: number) => string
  onPick?: OnPick
}

/** Parts beside each other over an axis. Arrows move between them, Enter chooses one. */
export function Columns(props: ColumnsProps) {
  return (
    <div className={classes.columns}>
      <Suspense fallback={null}>
        <DrawnColumns {...props} />
      </Suspense>
    </div>
  )
}
