import { NativeSelect, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { type SizeUnit, sizeUnits } from '#events/search/filters.ts'
import { ConfigurationRow, type FieldProps } from './ConfigurationRow.tsx'
import classes from './Configuration.module.css'

const units = sizeUnits.map((unit) => ({ value: unit, label: unit === 'B' ? 'Bytes' : unit }))

/** A size as number and unit, stored in bytes. */
export function SizeRow({ label, explanation, field }: FieldProps) {
  const id = useId()
  const [entered, setEntered] = useState(() => typedOfBytes(field.value))
  // Values changed elsewhere or discarded are shown in the largest unit that gives a whole number.
  const typed = bytesOfTyped(entered) === field.value ? entered : typedOfBytes(field.value)
  const change = (changes: Partial<typeof typed>) => {
    const now = { ...typed, ...changes }
    setEntered(now)
    field.set(bytesOfTyped(now))
  }
  return (
    <ConfigurationRow id={id} label={label} explanation={explanation}>
      <div className={classes.size}>
        <TextInput
          id={id}
          aria-describedby={`${id}-explanation`}
          autoComplete="off"
          value={typed.number}
          error={field.problem}
          disabled={field.busy}
          onChange={({ currentTarget }) => change({ number: currentTarget.value })}
        />
        <NativeSelect
          aria-label={`Unit of ${label}`}
          data={units}
          value={typed.unit}
          disabled={field.busy}
          onChange={({ currentTarget }) => change({ unit: currentTarget.value as SizeUnit })}
        />
      </div>
    </ConfigurationRow>
  )
}

/** A typed size. */
type TypedSize = { number: string; unit: SizeUnit }

const factor = (unit: SizeUnit): bigint => 1024n ** BigInt(sizeUnits.indexOf(unit))

/** Bytes as digits. Invalid text is returned unchanged, so that validation rejects it. */
export const bytesOfTyped = ({ number, unit }: TypedSize): string =>
  /^\d{1,20}$/.test(number) ? String(BigInt(number) * factor(unit)) : number

/** In the largest unit that gives a whole number. */
export function typedOfBytes(bytes: string): TypedSize {
  if (!/^\d{1,20}$/.test(bytes) || BigInt(bytes) === 0n) return { number: bytes, unit: 'B' }
  const unit = sizeUnits.findLast((unit) => BigInt(bytes) % factor(unit) === 0n) ?? 'B'
  return { number: String(BigInt(bytes) / factor(unit)), unit }
}
