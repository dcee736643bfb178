import { lazy, Suspense } from 'react'
import type { ColumnsProps } from './columnsProps.ts'
import classes from './Columns.module.css'

const DrawnColumns = lazy(() => import('./drawn/DrawnColumns.tsx').then((m) => ({ default: m.DrawnColumns })))

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
