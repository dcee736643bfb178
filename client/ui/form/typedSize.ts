import { type SizeBase, type SizeUnit, sizeUnits, unitLabel } from '#events/search/filters.ts'

/** A typed size. */
export type TypedSize<Unit extends SizeUnit = SizeUnit> = { number: string; unit: Unit }

/** Choices for a select, with `Bytes` in full. They have the base of lists, so users type sizes in the units that they see. */
export const unitChoices = <Unit extends SizeUnit>(units: readonly Unit[], base: SizeBase) =>
  units.map((unit) => ({ value: unit, label: unit === 'B' ? 'Bytes' : unitLabel(unit, base) }))

const factor = (unit: SizeUnit, base: SizeBase): bigint =>
  (base === '10' ? 1000n : 1024n) ** BigInt(sizeUnits.indexOf(unit))

/** Bytes as digits. Invalid text is returned unchanged, so that validation rejects it. */
export const bytesOfTyped = ({ number, unit }: TypedSize, base: SizeBase): string =>
  /^\d{1,20}$/.test(number) ? String(BigInt(number) * factor(unit, base)) : number

/** In the largest unit that gives a whole number. */
export function typedOfBytes(bytes: string, base: SizeBase): TypedSize {
  if (!/^\d{1,20}$/.test(bytes) || BigInt(bytes) === 0n) return { number: bytes, unit: 'B' }
  const unit = sizeUnits.findLast((unit) => BigInt(bytes) % factor(unit, base) === 0n) ?? 'B'
  return { number: String(BigInt(bytes) / factor(unit, base)), unit }
}
