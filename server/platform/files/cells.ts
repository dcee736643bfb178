import { decimalsOf } from '#events/money.ts'

/** Maximum characters of a cell, in units of UTF-16 as Excel counts them. */
const maxCharacters = 32_767

/** Characters that XML can't contain, and text that would be read as an escaped one. */
const odd = /(?![\t\n])[\p{Cc}\ufffe\uffff]|_x[\dA-Fa-f]{4}_/u
const oddOnes = new RegExp(odd, 'gu')
const escape = (found: string) =>
  found.startsWith('_') ? `_x005F${found}` : `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`

/**
 * Number formats of each kind of cell. A share is a fraction of 1; money has two decimals unless the cell has a currency
 * with others, which is shown in a separate column.
 */
export const cellFormats = {
  text: undefined,
  number: '#,##0',
  money: '#,##0.00',
  share: '0.0%',
  moment: 'yyyy-mm-dd hh:mm:ss',
  day: 'yyyy-mm-dd',
} as const
export type CellKind = keyof typeof cellFormats

/** An amount in a currency. */
export type Money = { amount: number; symbol: string }

/** An amount with its currency for a cell; null if either is unknown. */
export const moneyOf = (amount: number | null, symbol: string | null): Money | null =>
  amount === null || symbol === null ? null : { amount, symbol }

export const isMoney = (cell: unknown): cell is Money => typeof cell === 'object' && cell !== null && 'amount' in cell

/** Number format of an amount in a currency. */
export const moneyFormat = ({ symbol }: Money): string => `#,##${(0).toFixed(decimalsOf(symbol))}`

/** An amount for a file that has text only, with the decimals of its currency. */
export const moneyCell = ({ amount, symbol }: Money): string => amount.toFixed(decimalsOf(symbol))

/** Half of a character, or of an escape, at the end of text that was cut. */
const half = /([\uD800-\uDBFF]|_(x[\dA-F]{0,4})?)$/

/**
 * Text in the form a cell needs. Characters that XML can't contain are written as `_x0001_`, and text that looks like
 * such an escape is escaped too; half characters become `�`. Overlong text is cut with its escapes, because Excel
 * repairs a file in which only these exceed the limit, and at whole characters.
 */
export function cellText(text: string): string {
  const whole = text.toWellFormed()
  const written = odd.test(whole) ? whole.replaceAll(oddOnes, escape) : whole
  if (written.length <= maxCharacters) return written
  return `${written.slice(0, maxCharacters - 1).replace(half, '')}…`
}
