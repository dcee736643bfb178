import type { Column } from './column.ts'

/** User's column settings by column key: shown or hidden, and widths in pixels. */
export type ColumnChoice = { shown: Readonly<Record<string, boolean>>; widths: Readonly<Record<string, number>> }

/** Limits of a column width, in pixels. */
export const minColumnWidth = 48
export const maxColumnWidth = 1_200

/**
 * Columns to render: all but those that the user hides. They never depend on the rows, so they stay where they are while rows
 * change. Columns that the user chose are shown at any width.
 */
export const chosenColumns = <T>(columns: readonly Column<T>[], { shown, widths }: ColumnChoice): Column<T>[] =>
  columns
    .filter((column) => shown[column.key] !== false)
    .map(({ room, ...column }) => {
      const width = widths[column.key]
      return {
        ...column,
        ...(room && !shown[column.key] && { room }),
        ...(width !== undefined && { width: `${width}px` }),
      }
    })
