/** A document on paper of A4: what it is of, lines of description, then its parts in their order. */
export type PdfDocument = {
  title: string
  lines: readonly string[]
  parts: readonly PdfPart[]
  /** At the foot of each page, beside its number. */
  foot: string
}

export type PdfPart = PdfTable | PdfBars

/**
 * Cells are text as readers see it. `width` is a column's share of the paper, beside those of the others. The head stands on each
 * page, and `sum` is the last row. Of more than `mostRows` the first ones are shown, and how many are left out.
 */
export type PdfTable = {
  kind: 'table'
  title?: string
  columns: readonly { head: string; width: number; align?: 'right' }[]
  rows: readonly (readonly string[])[]
  sum?: readonly string[]
  /** Said where there is no row. */
  empty?: string
}

/** Values beside each other, the longest bar for the greatest. */
export type PdfBars = {
  kind: 'bars'
  title?: string
  bars: readonly { label: string; value: number; text: string }[]
}

/** What a table or a chart shows at most, on about six pages. The time of the library grows with the square of them. */
export const mostRows = 300
