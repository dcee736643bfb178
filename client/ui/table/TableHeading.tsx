import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import type { Column, Sort } from './column.ts'
import { ColumnGrip, resizeByKey } from './ColumnGrip.tsx'
import { drawn } from './drawnColumn.ts'
import classes from './DataTable.module.css'

type TableHeadingProps<T> = {
  column: Column<T>
  sort: Sort | undefined
  onSort: ((sort: Sort) => void) | undefined
  /** Sets the width in pixels; undefined for fixed widths. */
  onWidth?: ((key: string, width: number) => void) | undefined
  /** False in a header row that is a single tab stop, for all titles but one. */
  isTabStop?: boolean
}

/** Column header; a button if the list can be sorted by it. */
export function TableHeading<T>({ column, sort, onSort, onWidth, isTabStop = true }: TableHeadingProps<T>) {
  const { key, title, isTitleHidden, hint, sortable, width } = column
  const look = { ...drawn(column), style: width ? ({ '--width': width } as CSSProperties) : undefined }
  const grip = onWidth && !isTitleHidden && <ColumnGrip onWidth={(width) => onWidth(key, width)} />
  const direction = sort?.field === key ? sort.direction : undefined
  if (!sortable || !onSort) {
    return (
      <th scope="col" title={hint} {...look}>
        {isTitleHidden ? <span className="unseen">{title}</span> : title}
        {grip}
      </th>
    )
  }
  const Arrow = direction === 'desc' ? IconArrowDown : IconArrowUp
  return (
    <th scope="col" {...look} aria-sort={direction && (direction === 'asc' ? 'ascending' : 'descending')}>
      <button
        type="button"
        className={classes.sort}
        title={hint}
        data-sorted={direction !== undefined}
        tabIndex={isTabStop ? 0 : -1}
        onKeyDown={(event) => onWidth && resizeByKey(event, (width) => onWidth(key, width))}
        onClick={() => onSort({ field: key, direction: direction === 'asc' ? 'desc' : 'asc' })}
      >
        <span className="ellipsis">{title}</span>
        <Arrow size={14} stroke={1.5} aria-hidden />
      </button>
      {grip}
    </th>
  )
}
