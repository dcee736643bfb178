import { type SizeUnit, sizeUnits } from '#events/search-filters.ts'

/** A size as it is typed. */
type TypedSize = { number: string; unit: SizeUnit }

const factor = (unit: SizeUnit): bigint => 1024n ** BigInt(sizeUnits.indexOf(unit))

/** Bytes as digits; what are no digits stays what was typed, and is refused as such. */
export const bytesOfTyped = ({ number, unit }: TypedSize): string =>
  /^\d{1,20}$/.test(number) ? String(BigInt(number) * factor(unit)) : number

/** In the largest unit that holds it whole. */
export function typedOfBytes(bytes: string): TypedSize {
  if (!/^\d{1,20}$/.test(bytes) || BigInt(bytes) === 0n) return { number: bytes, unit: 'B' }
  const unit = sizeUnits.findLast((unit) => BigInt(bytes) % factor(unit) === 0n) ?? 'B'
  return { number: String(BigInt(bytes) / factor(unit)), unit }
}
