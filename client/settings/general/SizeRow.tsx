import { NativeSelect, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { type SizeUnit, sizeUnits } from '#events/search-filters.ts'
import { ConfigurationRow, type FieldProps } from './ConfigurationRow.tsx'
import { bytesOfTyped, typedOfBytes } from './typedSize.ts'
import classes from './Configuration.module.css'

const units = sizeUnits.map((unit) => ({ value: unit, label: unit === 'B' ? 'Bytes' : unit }))

/** A size: how many of which unit. It is kept in bytes. */
export function SizeRow({ label, explanation, field }: FieldProps) {
  const id = useId()
  const [kept, keep] = useState(() => typedOfBytes(field.value))
  // What another window changed, or what was discarded, shows in the largest unit that holds it whole.
  const typed = bytesOfTyped(kept) === field.value ? kept : typedOfBytes(field.value)
  const type = (changes: Partial<typeof typed>) => {
    const now = { ...typed, ...changes }
    keep(now)
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
          onChange={({ currentTarget }) => type({ number: currentTarget.value })}
        />
        <NativeSelect
          aria-label={`Unit of ${label}`}
          data={units}
          value={typed.unit}
          disabled={field.busy}
          onChange={({ currentTarget }) => type({ unit: currentTarget.value as SizeUnit })}
        />
      </div>
    </ConfigurationRow>
  )
}
