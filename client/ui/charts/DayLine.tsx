import { lazy, Suspense } from 'react'
import type { DayLineProps } from './dayLineProps.ts'
import classes from './Columns.module.css'

const DrawnDayLine = lazy(() => import('./drawn/DrawnDayLine.tsx').then((m) => ({ default: m.DrawnDayLine })))

/** A line through days, which lie as far apart as they are. Arrows move between its points, Enter chooses one. */
export function DayLine(props: DayLineProps) {
  return (
    <div className={classes.columns}>
      <Suspense fallback={null}>
        <DrawnDayLine {...props} />
      </Suspense>
    </div>
  )
}
