import type { ReactNode } from 'react'

/** A column of a list. */
export type Column<T> = {
  key: string
  title: string
  /** Title only for screen readers, such as for checkbox columns. */
  isTitleHidden?: boolean
  cell: (row: T) => ReactNode
  /** For numbers. */
  align?: 'right'
  sortable?: boolean
  /** Hidden on screens narrower than 768 pixels. */
  wideOnly?: boolean
  /** Has two lines on screens narrower than 1024 pixels. */
  wraps?: boolean
  /** Takes the remaining width, and is truncated if that is too narrow. */
  grows?: boolean
  /** CSS width for fixed layouts, such as `7rem`. */
  width?: string
  /** Text that a cell shows. The column is as wide as the longest one of the rows, see `fitColumns`. */
  text?: (row: T) => string
  /** CSS width that `text` can't exceed. */
  maxWidth?: string
  /** Hidden when the table is narrower than 1480, 1160, 1000 or 720 pixels. */
  room?: 'widest' | 'wide' | 'medium' | 'small'
  /** Hidden unless the user shows it. */
  isOptional?: boolean
  /** Can't be hidden. */
  isFixed?: boolean
  /** Tooltip of the title. */
  hint?: string
}
export type Sort = { field: string; direction: 'asc' | 'desc' }
