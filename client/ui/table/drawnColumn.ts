import type { Column } from './column.ts'

/** What style sheets know of a column, at its title and at each of its cells. */
export const drawn = ({
  align,
  wideOnly,
  grows,
  room,
}: Pick<Column<never>, 'align' | 'wideOnly' | 'grows' | 'room'>) => ({
  'data-align': align,
  'data-wide-only': wideOnly,
  'data-grows': grows,
  'data-room': room,
})
