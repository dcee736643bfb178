import { UnreadableLineError } from './entries.ts'

/** JSON in which whole numbers beyond 2^53, such as inodes, are exact. */
export function readJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  return JSON.parse(text, ((_key: string, value: unknown, { source = '' }: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value) as (
    key: string,
    value: unknown,
  ) => unknown)
}

/** A whole number. Throws if it isn't one. */
function wholeNumber(text: string, what: string): number | bigint {
  if (!/^-?\d{1,20}$/.test(text)) throw new UnreadableLineError(`has the ${what} ${shown(text)}`)
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

/** A whole number that is not negative; undefined for an empty text. */
export const count = (text: string, what: string): number | bigint | undefined => {
  const number = text.trim() === '' ? undefined : wholeNumber(text.trim(), what)
  return number !== undefined && number < 0 ? undefined : number
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 40))

const powers = 'bkmgtpe'
const sized = /^([\d.,'\s\u00a0\u202f]+?)\s*(?:([kmgtpe]?)(i?)(?:b|o|bytes?|octets?)?)$/i

/**
 * Bytes of a size such as `1234`, `1,5 GB`, `12.3 KiB` or `1'234 Bytes`. Units are powers of 1024, as Windows and `du` have them.
 * `decimal` is the separator of a number that could be read both ways.
 */
export function sizeOf(text: string, decimal: '.' | ',' = '.'): number | bigint | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (/^\d+$/.test(trimmed)) return wholeNumber(trimmed, 'size')
  const [, digits, letter = ''] = sized.exec(trimmed.slice(0, 60)) ?? []
  const number = digits === undefined ? NaN : numberOf(digits.replaceAll(/['\s\u00a0\u202f]/g, ''), letter, decimal)
  if (!Number.isFinite(number)) throw new UnreadableLineError(`has the size ${shown(text)}`)
  return Math.round(number * 1024 ** Math.max(0, powers.indexOf(letter.toLowerCase() || 'b')))
}

function numberOf(digits: string, letter: string, decimal: '.' | ','): number {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  if (last < 0) return Number(digits)
  const separator = digits[last] as string
  const hasBoth = digits.includes(separator === '.' ? ',' : '.')
  const isGrouped = /^\d{1,3}(?:[.,]\d{3})+$/.test(digits)
  // Bytes have no fraction, so 1.234 can only be a thousand.
  const isFraction = hasBoth
    ? digits.indexOf(separator) === last
    : !isGrouped || (digits.indexOf(separator) === last && letter !== '' && separator === decimal)
  const whole = digits.slice(0, isFraction ? last : undefined).replaceAll(/[.,]/g, '')
  return Number(isFraction ? `${whole}.${digits.slice(last + 1)}` : whole)
}

/** Order of day and month in dates such as 03/04/2025. */
export type DateOrder = 'dayFirst' | 'monthFirst' | undefined

const clock = String.raw`(?:[T ,+]+(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*([AP]M)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?`
const iso = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${clock}$`, 'i')
const regional = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4})${clock}$`, 'i')

/**
 * Seconds UTC of a date: ISO, 31.12.2025, 12/31/2025, or seconds, milliseconds or nanoseconds since 1970. Without a zone it is in that of the server.
 * Unknown for a date whose order of day and month isn't known.
 */
export function timeOf(text: string, order?: DateOrder): number | undefined {
  const trimmed = text.trim().slice(0, 60)
  if (/^[-0]?$/.test(trimmed)) return undefined
  if (/^-?\d+(?:\.\d*)?$/.test(trimmed)) return epochOf(Number(trimmed))
  const [, year, month, day, ...isoClock] = iso.exec(trimmed) ?? []
  if (year !== undefined) return momentOf([year, month, day], isoClock)
  const [, first = '', separator, second = '', fullYear, ...rest] = regional.exec(trimmed) ?? []
  if (fullYear === undefined) throw new UnreadableLineError(`has the date ${shown(text)}`)
  const same = first === second ? 'dayFirst' : undefined
  const known = separator === '.' ? 'dayFirst' : (orderOf(trimmed) ?? order ?? same)
  if (known === undefined) return undefined
  return momentOf(known === 'dayFirst' ? [fullYear, second, first] : [fullYear, first, second], rest)
}

/** Order that a single date shows: 31/12/2025 has the day first. */
export function orderOf(text: string): DateOrder {
  const [, first, separator, second, , , , , half] = regional.exec(text.trim().slice(0, 60)) ?? []
  if (first === undefined || separator === '.') return undefined
  if (Number(first) > 12) return 'dayFirst'
  return Number(second) > 12 || half !== undefined ? 'monthFirst' : undefined
}

function epochOf(number: number): number {
  const size = Math.abs(number)
  return Math.floor(size > 1e16 ? number / 1e9 : size > 1e11 ? number / 1e3 : number)
}

function momentOf(date: readonly (string | undefined)[], clock: readonly (string | undefined)[]): number {
  const [hour = '0', minute = '0', second = '0', half, zone = ''] = clock
  const hours = half ? (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0) : hour
  const two = (part: unknown) => String(part).padStart(2, '0')
  const written = `${date.map(two).join('-')}T${[hours, minute, second].map(two).join(':')}`
  const offset = zone
    .toUpperCase()
    .replace('UTC', 'Z')
    .replace(/(\d{2}):?(\d{2})$/, '$1:$2')
  const moment = Date.parse(written + offset)
  if (Number.isNaN(moment)) throw new UnreadableLineError(`has the date ${shown(date.join('-'))}`)
  return moment / 1000
}

/** Kinds of files in `st_mode`, by the letter that `ls` and `find` show. */
const kinds: Record<string, number> = {
  p: 0o010000,
  c: 0o020000,
  d: 0o040000,
  b: 0o060000,
  f: 0o100000,
  '-': 0o100000,
  l: 0o120000,
  s: 0o140000,
}

export const modeOf = (kind: string, permissions: number): number => (kinds[kind] ?? 0) | (permissions & 0o7777)

/** Mode of a text such as `-rwsr-x--t`. */
export function modeOfText(text: string): number | undefined {
  if (!/^[-dlpcbsh?][-r][-w][-xsS][-r][-w][-xsS][-r][-w][-xtT]/.test(text)) return undefined
  let permissions = 0
  for (const [at, letter] of Array.from(text.slice(1, 10)).entries())
    if (/[rwxst]/.test(letter)) permissions |= 0o400 >> at
  for (const [at, special] of [0o4000, 0o2000, 0o1000].entries())
    if (/[sStT]/.test(text[3 + 3 * at] as string)) permissions |= special
  return modeOf(text[0] === 'h' ? '-' : (text[0] as string), permissions)
}
