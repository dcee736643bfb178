/** An A4 document: its title, lines of description, then its parts in order. */
export type PdfDocument = {
  title: string
  lines: readonly string[]
  parts: readonly PdfPart[]
  /** At the foot of each page, next to its number. */
  foot: string
}

export type PdfPart = PdfTable | PdfBars

/**
 * Cells are formatted text. `width` is a column's share of the page, relative to the others. The head is repeated on
 * each page, and `sum` is the last row. Only the first `maxRows` rows are shown, with the number of omitted ones.
 */
export type PdfTable = {
  kind: 'table'
  title?: string
  columns: readonly { head: string; width: number; align?: 'right' }[]
  rows: readonly (readonly string[])[]
  sum?: readonly string[]
  /** Shown if there are no rows. */
  empty?: string
}

/** Horizontal bars; the longest has the greatest value. */
export type PdfBars = {
  kind: 'bars'
  title?: string
  bars: readonly { label: string; value: number; text: string }[]
}

/** Maximum rows of a table or chart, about six pages. The library's time grows with their square. */
export const maxRows = 300
