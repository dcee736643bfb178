import { bytesOf, type SizeUnit, sizeUnits } from '#events/search/filters.ts'

/** The items of a list that is written with commas. One in quotes may hold commas and spaces; a quote in it is written twice. */
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

/** The same list as it is written; only what would be read otherwise is put in quotes. */
export const joinList = (items: readonly (string | number)[]): string =>
  items
    .map(String)
    .map((item) =>
      item === '' || item !== item.trim() || /[",]/.test(item) ? `"${item.replaceAll('"', '""')}"` : item,
    )
    .join(', ')

/** Sizes are written as a number and one of the units, or none, which means bytes. */
export const sizePattern = /(\d+(?:\.\d+)?)\s*(B|Bytes?|KB|MB|GB|TB|PB)?(?![\w.])/iy

/** The bytes of a size that is written; undefined when it is none. */
export function readSize(text: string): number | undefined {
  sizePattern.lastIndex = 0
  const [found, digits, unit = 'B'] = sizePattern.exec(text) ?? []
  if (found !== text) return undefined
  return bytesOf(Number(digits), unitOf(unit))
}

const unitOf = (unit: string) => (/^b/i.test(unit) ? 'B' : (unit.toUpperCase() as SizeUnit))

/** Bytes in the largest unit in which they are a whole number. */
export function sizeWords(bytes: number): string {
  const unit = sizeUnits.findLast((_, power) => bytes >= 1024 ** power && bytes % 1024 ** power === 0) ?? 'B'
  return `${bytes / 1024 ** sizeUnits.indexOf(unit)} ${unit}`
}

/** A size that is being written, in its two fields: the number may be none yet. */
export function sizeParts(text: string): { number: string; unit: SizeUnit } {
  const [, number = '', unit = 'B'] = /^(.*?)\s*(B|Bytes?|KB|MB|GB|TB|PB)?$/is.exec(text) ?? []
  return { number, unit: unitOf(unit) }
}
