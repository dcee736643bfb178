import type { Sheet } from './spreadsheet.ts'

/** The most characters that a cell holds. */
const mostCharacters = 32_767

/** The value of a cell. Text is a cell of text, which no spreadsheet reads as a formula. */
export function cellOf(kind: Sheet['columns'][number]['kind'], value: unknown): string | number | Date | null {
  if (value === null || value === '') return null
  switch (kind) {
    case 'number':
      return Number(value)
    case 'moment':
      return new Date(Number(value) * 1000)
    case 'day':
      return new Date(`${String(value)}T00:00:00Z`)
    case 'text':
      return textOf(String(value))
  }
}

/** Characters that XML cannot hold are written as `_x0001_`, and so is what would be read as that. */
function textOf(text: string): string {
  const kept = text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text
  return odd.test(kept) ? kept.replaceAll(oddOnes, escape) : kept
}

const odd = /(?![\t\n])[\p{Cc}\ufffe\uffff]|_x[\dA-Fa-f]{4}_/u
const oddOnes = new RegExp(odd, 'gu')
const escape = (found: string) =>
  found.startsWith('_') ? `_x005F${found}` : `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
