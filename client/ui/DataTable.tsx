import type { ReactNode } from 'react'
import { TableHeading } from './TableHeading.tsx'
import { drawn } from './drawnColumn.ts'
import classes from './DataTable.module.css'

export type Column<T> = {
  key: string
  title: string
  cell: (row: T) => ReactNode
  /** Figures stand on the right. */
  align?: 'right'
  sortable?: boolean
  /** Left out on screens under 768 pixels. */
  wideOnly?: boolean
  /** Takes the room that is left, and is cut where it does not suffice. */
  grows?: boolean
  /** How wide it is where widths are fixed, such as `7rem`. */
  width?: string
  /** Left out where the table itself is not that wide: under 1480, 1160, 1000 and 720 pixels. */
  room?: 'widest' | 'wide' | 'medium' | 'small'
  /** What hovering over its title says. */
  hint?: string
}
export type Sort = { field: string; direction: 'asc' | 'desc' }

type DataTableProps<T> = {
  label: string
  columns: Column<T>[]
  rows: T[]
  rowKey: (row: T) => string | number
  sort?: Sort
  onSort?: (sort: Sort) => void
  empty: ReactNode
  footer?: ReactNode
}

/** A list of the server's, on native table markup. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, columns, rows, rowKey, empty, footer } = props
  if (rows.length === 0) return empty
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <TableHeading key={column.key} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ key, cell, ...column }) => (
                <td key={key} {...drawn(column)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {footer && <div className={classes.footer}>{footer}</div>}
    </div>
  )
}
