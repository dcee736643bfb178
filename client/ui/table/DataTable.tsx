import type { ReactNode } from 'react'
import type { Column, Sort } from './column.ts'
import { TableHeading } from './TableHeading.tsx'
import { drawn } from './drawnColumn.ts'
import classes from './DataTable.module.css'

type DataTableProps<T> = {
  label: string
  columns: Column<T>[]
  rows: T[]
  rowKey: (row: T) => string | number
  sort?: Sort
  onSort?: (sort: Sort) => void
  /** Content that replaces one row, such as its edit form. */
  instead?: { key: string | number; content: ReactNode } | undefined
  empty: ReactNode
  footer?: ReactNode
}

/** A list from the server as a native table. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { label, columns, rows, rowKey, instead, empty, footer } = props
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
              {instead?.key === rowKey(row) ? (
                <td colSpan={columns.length}>{instead.content}</td>
              ) : (
                columns.map(({ key, cell, ...column }) => (
                  <td key={key} {...drawn(column)}>
                    {cell(row)}
                  </td>
                ))
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {footer && <div className="row inset-line gap-8">{footer}</div>}
    </div>
  )
}
