import { lazy, Suspense } from 'react'
import type { ColumnsProps } from './columnsProps.ts'
import classes from './Columns.module.css'

const DrawnColumns = lazy(() => import('./drawn/DrawnColumns.tsx').then((m) => ({ default: m.DrawnColumns })))

/** A column chart. Arrow keys move between the columns, Enter selects one. */
export function Columns(props: ColumnsProps) {
  return (
    <div className={classes.columns}>
      <Suspense fallback={null}>
        <DrawnColumns {...props} />
      </Suspense>
    </div>
  )
}
