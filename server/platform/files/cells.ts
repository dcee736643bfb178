/** The most characters that a cell holds. */
const mostCharacters = 32_767

/** Characters that XML cannot hold, and what would be read as one of them. */
const odd = /(?![\t\n])[\p{Cc}\ufffe\uffff]|_x[\dA-Fa-f]{4}_/u
const oddOnes = new RegExp(odd, 'gu')
const escape = (found: string) =>
  found.startsWith('_') ? `_x005F${found}` : `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`

/** How the cells of each kind are shown. A share is 1 where it is all; money has a currency of its own beside it. */
export const cellFormats = {
  text: undefined,
  number: '#,##0',
  money: '#,##0.00',
  share: '0.0%',
  moment: 'yyyy-mm-dd hh:mm:ss',
  day: 'yyyy-mm-dd',
} as const
export type CellKind = keyof typeof cellFormats

/** Text as a cell holds it. Characters that XML cannot hold are written as `_x0001_`, and so is what would be read as that. */
export function cellText(text: string): string {
  const kept = text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1)}…` : text
  return odd.test(kept) ? kept.replaceAll(oddOnes, escape) : kept
}
