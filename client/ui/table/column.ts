import type { ReactNode } from 'react'

/** A column of a list: its title, and what stands in it for a row. */
export type Column<T> = {
  key: string
  title: string
  /** Its title is heard and not seen: that of a column of boxes. */
  isTitleHidden?: boolean
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
  /** What it says of a row; where that is the same for every row, the column may be left out. */
  says?: (row: T) => string | number | boolean | null
  /** Cannot be taken away. */
  isFixed?: boolean
  /** What hovering over its title says. */
  hint?: string
}
/** By which column a list is sorted. */
export type Sort = { field: string; direction: 'asc' | 'desc' }
