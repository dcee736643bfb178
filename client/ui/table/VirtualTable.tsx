import { useMediaQuery } from '@mantine/hooks'
import { type CSSProperties, memo, useRef, useState } from 'react'
import type { Column, Sort } from './column.ts'
import { TableHeading } from './TableHeading.tsx'
import { moveAmong } from './arrowKeys.ts'
import { drawn } from './drawnColumn.ts'
import { useGridKeys } from './useGridKeys.ts'
import { SpacerRow, useVirtualRows } from './virtualRows.tsx'
import long from './LongTable.module.css'
import classes from './VirtualTable.module.css'

export type VirtualTableProps<T> = {
  label: string
  /** Must be referentially stable: a row renders again only when it or the columns change. */
  columns: Column<T>[]
  rows: T[]
  rowKey: (row: T) => string | number
  /** State of a row. The row is highlighted briefly when it changes. */
  stateOf: (row: T) => string
  selected?: string | number | undefined
  /** Row whose details are open elsewhere. It scrolls into view. */
  opened?: string | number | undefined
  /** For lists with multiple selection. `isRange` selects all rows since the last one selected. */
  isSelected?: (row: T) => boolean
  onSelect?: (row: T, isRange: boolean) => void
  onSelectNone?: () => void
  /** Rows whose object no longer exists. */
  isGone?: (row: T) => boolean
  /** Group of a row. A line separates groups. */
  groupOf?: ((row: T) => string) | undefined
  /** Number of rows before this page, and in total. */
  before?: number
  total?: number
  sort?: Sort
  onSort?: (sort: Sort) => void
  onWidth?: (key: string, width: number) => void
  onOpen: (row: T) => void
  onScrolled?: (isScrolled: boolean) => void
  /** In pixels. By default, that of one line, or of two if a column wraps. */
  rowHeight?: number
}

/**
 * Virtual list that stays smooth with thousands of rows. Its titles are a tab stop, and so are its rows: up, down, Home and End move
 * between rows, right and left between the controls of a row, Enter opens the row. Cells may contain only native elements,
 * which are not tab stops.
 */
export function VirtualTable<T>(props: VirtualTableProps<T>) {
  const { label, columns, rows, rowKey, stateOf, selected, before = 0, total = rows.length, onOpen } = props
  const isNarrow = useMediaQuery('(width < 1024px)', undefined, { getInitialValueInEffect: false }) === true
  const ownHeight = isNarrow && columns.some(({ wraps }) => wraps) ? 44 : 32
  const { rowHeight = ownHeight, onSelect, onSelectNone, isSelected = (row: T) => rowKey(row) === selected } = props
  const scroller = useRef<HTMLDivElement>(null)
  const { active, grid } = useGridKeys({ rows, rowKey, scroller, opened: props.opened, onOpen, onSelect, onSelectNone })
  const shown = useVirtualRows(scroller, rows.length, active, rowHeight)
  const sortable = columns.filter(({ sortable }) => sortable)
  const tabStop = (sortable.find(({ key }) => key === props.sort?.field) ?? sortable[0])?.key
  const row = (index: number) => {
    const row = rows[index]
    if (row === undefined) return null
    const key = rowKey(row)
    const place = { index, rowNumber: before + index + 2, isTabStop: index === active, isSelected: isSelected(row) }
    const isOpened = key === props.opened
    const [above, group] = [rows[index - 1], props.groupOf?.(row)]
    const begins = group !== undefined && above !== undefined && props.groupOf?.(above) !== group
    const state = { state: stateOf(row), isGone: props.isGone?.(row), begins }
    return <Row key={key} row={row} columns={columns} isOpened={isOpened} {...state} {...place} />
  }
  return (
    <div
      ref={scroller}
      className={`${long.scroller} ${classes.scroller}`}
      style={{ '--row': `${rowHeight}px` } as CSSProperties}
      onScroll={({ currentTarget }) => props.onScrolled?.(currentTarget.scrollTop > 0)}
    >
      <table
        className={`${long.table} ${classes.table}`}
        aria-label={label}
        aria-rowcount={total + 1}
        aria-multiselectable={onSelect && true}
        {...grid}
      >
        <thead>
          <tr aria-rowindex={1} onKeyDown={(event) => moveAmong(event, event.currentTarget, 'button[data-sorted]')}>
            {columns.map((column) => (
              <TableHeading
                key={column.key}
                column={column}
                sort={props.sort}
                onSort={props.onSort}
                onWidth={props.onWidth}
                isTabStop={column.key === tabStop}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.rows.flatMap(({ index, gap }) => [
            gap > 0 && <SpacerRow key={`gap ${index}`} height={gap} />,
            row(index),
          ])}
          {shown.end > 0 && <SpacerRow key="end" height={shown.end} />}
        </tbody>
      </table>
    </div>
  )
}

type RowProps<T> = {
  row: T
  columns: Column<T>[]
  state: string
  isGone: boolean | undefined
  begins: boolean
  index: number
  rowNumber: number
  isTabStop: boolean
  isSelected: boolean
  isOpened: boolean
}

const Row = memo(RowOf) as typeof RowOf

function RowOf<T>(props: RowProps<T>) {
  const { row, columns, state, isGone, begins, index, rowNumber, isTabStop, isSelected, isOpened } = props
  const changes = useChanges(state)
  return (
    <tr
      className={classes.row}
      data-index={index}
      data-gone={isGone || undefined}
      data-begins={begins || undefined}
      data-opened={isOpened || undefined}
      data-changed={changes > 0 || undefined}
      aria-rowindex={rowNumber}
      aria-selected={isSelected}
      tabIndex={isTabStop ? 0 : -1}
    >
      {columns.map((column, place) => (
        <td key={column.key} {...drawn(column)}>
          {column.cell(row)}
          {place === 0 && changes > 0 && <span key={changes} className={classes.tint} aria-hidden />}
        </td>
      ))}
    </tr>
  )
}

/** Number of changes since the first render. */
function useChanges(value: string): number {
  const [last, setLast] = useState({ value, changes: 0 })
  if (last.value !== value) setLast({ value, changes: last.changes + 1 })
  return last.changes
}
