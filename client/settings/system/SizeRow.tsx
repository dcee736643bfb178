import { NativeSelect, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { type SizeUnit, sizeUnits } from '#events/search/filters.ts'
import { bytesOfTyped, typedOfBytes, unitChoices } from '#client/ui/form/typedSize.ts'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import { ConfigurationRow, type FieldProps } from './ConfigurationRow.tsx'
import classes from './Configuration.module.css'

/** A size as number and unit, stored in bytes. */
export function SizeRow({ label, explanation, field }: FieldProps) {
  const id = useId()
  const base = useSizeBase()
  const [entered, setEntered] = useState(() => typedOfBytes(field.value, base))
  // Values changed elsewhere or discarded are shown in the largest unit that gives a whole number.
  const typed = bytesOfTyped(entered, base) === field.value ? entered : typedOfBytes(field.value, base)
  const change = (changes: Partial<typeof typed>) => {
    const now = { ...typed, ...changes }
    setEntered(now)
    field.set(bytesOfTyped(now, base))
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
          data={unitChoices(sizeUnits, base)}
          value={typed.unit}
          disabled={field.busy}
          onChange={({ currentTarget }) => change({ unit: currentTarget.value as SizeUnit })}
        />
      </div>
    </ConfigurationRow>
  )
}
