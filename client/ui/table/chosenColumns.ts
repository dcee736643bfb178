import type { Column } from './column.ts'

/** What a browser chose of the columns of a list: those shown or hidden by hand, and widths in pixels, by their keys. */
export type ColumnChoice = { shown: Readonly<Record<string, boolean>>; widths: Readonly<Record<string, number>> }

/** The least and the most that a column is dragged to, in pixels. */
export const narrowest = 48
export const widest = 1_200

/** Whether a column says the same in each of several rows, so that it tells nothing. */
export function isSameInAll<T>({ says }: Column<T>, rows: readonly T[]): boolean {
  const [first] = rows
  if (!says || first === undefined || rows.length < 2) return false
  const said = says(first)
  return rows.every((row) => says(row) === said)
}

/**
 * The columns that are drawn: those that were chosen, and of the others all that do not say the same in every row. What the list
 * is sorted by stays. One that was chosen is shown however narrow the list is.
 */
export const chosenColumns = <T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  { shown, widths }: ColumnChoice,
  sortedBy: string | undefined,
): Column<T>[] =>
  columns
    .filter((column) => shown[column.key] ?? (column.key === sortedBy || !isSameInAll(column, rows)))
    .map(({ room, ...column }) => {
      const width = widths[column.key]
      return {
        ...column,
        ...(room && !shown[column.key] && { room }),
        ...(width !== undefined && { width: `${width}px` }),
      }
    })
