import { bytesOf, type SizeUnit, sizeUnits, unitLabel } from '#events/search/filters.ts'

/** Splits a comma-separated list. A quoted item may contain commas and spaces; a quote in it is doubled. */
export function splitList(text: string): string[] {
  const items: string[] = []
  const item = /\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))(?:,|$)/y
  while (item.lastIndex < text.length) {
    const [, quoted, bare = ''] = item.exec(text) ?? []
    if (quoted !== undefined) items.push(quoted.replaceAll('""', '"'))
    else if (bare.trim() !== '') items.push(bare.trim())
  }
  return items
}

/** Joins a list with commas, quoting only items that would be split or changed. */
export const joinList = (items: readonly (string | number)[]): string =>
  items
    .map(String)
    .map((item) =>
      item === '' || item !== item.trim() || /[",]/.test(item) ? `"${item.replaceAll('"', '""')}"` : item,
    )
    .join(', ')

/** A size: a number with an optional unit, bytes by default. `GB` and `GiB` are both 2^30 bytes. */
export const sizePattern = /(\d+(?:\.\d+)?)\s*(B|Bytes?|[KMGTP]i?B)?(?![\w.])/iy

/** Bytes of a written size; undefined if it is not a size. */
export function readSize(text: string): number | undefined {
  sizePattern.lastIndex = 0
  const [found, digits, unit = 'B'] = sizePattern.exec(text) ?? []
  if (found !== text) return undefined
  return bytesOf(Number(digits), unitOf(unit))
}

const unitOf = (unit: string) => (/^b/i.test(unit) ? 'B' : (unit.toUpperCase().replace('I', '') as SizeUnit))

/** Prints bytes in the largest unit that gives a whole number. */
export function sizeWords(bytes: number): string {
  const unit = sizeUnits.findLast((_, power) => bytes >= 1024 ** power && bytes % 1024 ** power === 0) ?? 'B'
  return `${bytes / 1024 ** sizeUnits.indexOf(unit)} ${unitLabel(unit)}`
}

/** Splits a partly typed size into number and unit. The number may be empty. */
export function sizeParts(text: string): { number: string; unit: SizeUnit } {
  const [, number = '', unit = 'B'] = /^(.*?)\s*(B|Bytes?|[KMGTP]i?B)?$/is.exec(text) ?? []
  return { number, unit: unitOf(unit) }
}
