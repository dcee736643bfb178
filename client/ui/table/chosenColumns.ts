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
    .filter(({ key, isOptional = false }) => shown[key] ?? !isOptional)
    .map(({ room, ...column }) => {
      const width = widths[column.key]
      return {
        ...column,
        ...(room && !shown[column.key] && { room }),
        ...(width !== undefined && { width: `${width}px` }),
      }
    })

/** Widths of small letters, of capitals and digits, of letters in titles, and of padding and sort arrow, in rem. */
const small = 0.41
const large = 0.52
const titleLetter = 0.52
const padding = 1
const arrow = 1.1
/** Widths are rounded up to steps, so that columns rarely move when other rows are shown. In rem. */
const step = 1.5
const maxWidth = '11rem'

const widthOf = (text: string) => text.length * small + (text.match(/[A-Z\d]/g)?.length ?? 0) * (large - small)

/** Sets the width of columns with a `text` to that of the longest text. Columns without values are as wide as their title. */
export const fitColumns = <T>(columns: readonly Column<T>[], rows: readonly T[]): Column<T>[] =>
  columns.map((column) => {
    const { text, title } = column
    if (!text) return column
    const maxLength = rows.reduce((max, row) => Math.max(max, widthOf(text(row))), 0)
    const width = Math.max(Math.ceil(maxLength / step) * step, title.length * titleLetter + arrow) + padding
    return { ...column, width: `min(${width.toFixed(2)}rem, ${column.maxWidth ?? maxWidth})` }
  })
