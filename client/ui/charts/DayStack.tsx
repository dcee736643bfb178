import { type CSSProperties, lazy, Suspense } from 'react'
import { colour } from '#client/ui/theme/roles.ts'
import type { DayStackProps } from './dayStackProps.ts'
import classes from './Columns.module.css'

const DrawnDayStack = lazy(() => import('./drawn/DrawnDayStack.tsx').then((m) => ({ default: m.DrawnDayStack })))

/** Stacked areas by day, with marked events. Arrow keys move between days, Enter selects one. */
export function DayStack(props: DayStackProps) {
  return (
    <>
      <div className={classes.columns}>
        <Suspense fallback={null}>
          <DrawnDayStack {...props} />
        </Suspense>
      </div>
      <ul className={classes.layers} aria-label="Layers of the chart">
        {props.layers.map(({ key, label, role }) => (
          <li className="row muted small gap-8" key={key} style={{ '--part': colour(role) } as CSSProperties}>
            {label}
          </li>
        ))}
      </ul>
    </>
  )
}
