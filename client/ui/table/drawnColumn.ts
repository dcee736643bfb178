import type { Column } from './column.ts'

/** Attributes of a column's header and cells that style sheets use. */
export const drawn = ({
  align,
  wideOnly,
  grows,
  room,
  wraps,
}: Pick<Column<never>, 'align' | 'wideOnly' | 'grows' | 'room' | 'wraps'>) => ({
  'data-align': align,
  'data-wide-only': wideOnly,
  'data-grows': grows,
  'data-room': room,
  'data-wraps': wraps,
})
