import { lazy, Suspense } from 'react'
import type { DayLineProps } from './dayLineProps.ts'
import classes from './Columns.module.css'

const DrawnDayLine = lazy(() => import('./drawn/DrawnDayLine.tsx').then((m) => ({ default: m.DrawnDayLine })))

/** A line chart on a time axis. Arrow keys move between points, Enter selects one. */
export function DayLine(props: DayLineProps) {
  return (
    <div className={classes.columns}>
      <Suspense fallback={null}>
        <DrawnDayLine {...props} />
      </Suspense>
    </div>
  )
}
