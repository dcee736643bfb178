import { type CSSProperties, lazy, Suspense } from 'react'
import { colour } from '#client/ui/theme/roles.ts'
import type { CurveProps } from './curveProps.ts'
import classes from './Columns.module.css'

const DrawnCurve = lazy(() => import('./drawn/DrawnCurve.tsx').then((m) => ({ default: m.DrawnCurve })))

/** Lines over a few points. Arrow keys move between the points, Enter chooses one. */
export function Curve(props: CurveProps) {
  const { lines } = props
  return (
    <div>
      <div className={classes.curve}>
        <Suspense fallback={null}>
          <DrawnCurve {...props} />
        </Suspense>
      </div>
      {lines.length > 1 && (
        <ul className={classes.layers} aria-label="Lines of the chart">
          {lines.map(({ key, label, role }) => (
            <li className="row muted small gap-8" key={key} style={{ '--part': colour(role) } as CSSProperties}>
              {label}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
