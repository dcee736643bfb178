import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
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
              <Heading key={column.key} column={column} {...props} />
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

const drawn = ({ align, wideOnly, grows }: Pick<Column<never>, 'align' | 'wideOnly' | 'grows'>) => ({
  'data-align': align,
  'data-wide-only': wideOnly,
  'data-grows': grows,
})

type HeadingProps<T> = Pick<DataTableProps<T>, 'sort' | 'onSort'> & { column: Column<T> }

function Heading<T>({ column, sort, onSort }: HeadingProps<T>) {
  const { key, title, sortable } = column
  const direction = sort?.field === key ? sort.direction : undefined
  if (!sortable || !onSort) {
    return (
      <th scope="col" {...drawn(column)}>
        {title}
      </th>
    )
  }
  const Arrow = direction === 'desc' ? IconArrowDown : IconArrowUp
  return (
    <th scope="col" {...drawn(column)} aria-sort={direction && (direction === 'asc' ? 'ascending' : 'descending')}>
      <button
        type="button"
        className={classes.sort}
        data-sorted={direction !== undefined}
        onClick={() => onSort({ field: key, direction: direction === 'asc' ? 'desc' : 'asc' })}
      >
        {title}
        <Arrow size={14} stroke={1.5} aria-hidden />
      </button>
    </th>
  )
}
