import type { Column } from './column.ts'

/** User's column settings by column key: shown or hidden, and widths in pixels. */
export type ColumnChoice = { shown: Readonly<Record<string, boolean>>; widths: Readonly<Record<string, number>> }

/** Limits of a column width, in pixels. */
export const minColumnWidth = 48
export const maxColumnWidth = 1_200

/** Returns true if several rows have the same value in the column, so that it adds no information. */
export function isSameInAll<T>({ says }: Column<T>, rows: readonly T[]): boolean {
  const [first] = rows
  if (!says || first === undefined || rows.length < 2) return false
  const firstValue = says(first)
  return rows.every((row) => says(row) === firstValue)
}

/**
 * Columns to render: those that the user selected, and by default those whose values differ. The sort column is always
 * shown. Selected columns are shown at any width.
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
