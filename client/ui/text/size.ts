import type { SizeBase } from '#events/search/filters.ts'

/** '2': powers of 1024 (KiB, MiB, …); '10': powers of 1000 (kB, MB, …). */
export type { SizeBase }

const units = {
  '2': ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'],
  '10': ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'],
} as const

const grouped = new Intl.NumberFormat('en')

/** A size with three significant digits, and its unit. -1 means unknown. */
export function sizeText(bytes: number, base: SizeBase): { value: string; unit: string } {
  if (bytes < 0) return { value: '-', unit: '' }
  const step = base === '2' ? 1024 : 1000
  const last = units[base].length - 1
  let power = 0
  let value = bytes
  while (power < last && roundedTo3(value) >= step) {
    value /= step
    power += 1
  }
  const text = power === 0 || value >= 999.5 ? grouped.format(Math.round(value)) : threeDigits(value)
  return { value: text, unit: units[base][power] as string }
}

/** A size with its unit: `1.46 MiB`. */
export const sizeWords = (bytes: number, base: SizeBase): string =>
  Object.values(sizeText(bytes, base)).join(' ').trim()

/** A round size for axis labels: `2 GiB`. */
export function tickSize(bytes: number, base: SizeBase): string {
  const { value, unit } = sizeText(bytes, base)
  return `${value.includes('.') ? Number(value) : value} ${unit}`
}

/** Tooltip of a rounded size. */
export const exactSize = (bytes: number): string =>
  bytes < 0 ? 'Unknown size' : `${grouped.format(bytes)} ${bytes === 1 ? 'byte' : 'bytes'}`

const decimals = (value: number) => (value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2)
const threeDigits = (value: number) => value.toFixed(decimals(value))
const roundedTo3 = (value: number) => Number(threeDigits(value))
