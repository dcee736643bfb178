import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isSearchDay, relativeDay, relativeParts, type RelativeUnit } from '#events/search/relativeDays.ts'
import { DayInput } from '#client/ui/form/DayInput.tsx'
import classes from './SearchDayInput.module.css'

type SearchDayInputProps = {
  /** Accessible name, such as `Last access before`. */
  label: string
  isLabelShown?: boolean
  /** A day of a search, fixed or relative, or an empty text. */
  value: string
  onChange: (day: string) => void
  error?: string | undefined
}

const fixed = 'date'
const kinds = [
  { value: fixed, label: 'Date' },
  { value: 'd', label: 'Days ago' },
  { value: 'w', label: 'Weeks ago' },
  { value: 'M', label: 'Months ago' },
  { value: 'y', label: 'Years ago' },
]

/** A day of a search: a date, or a number of days, weeks, months or years before the snapshot. */
export function SearchDayInput({ label, isLabelShown = false, value, onChange, error }: SearchDayInputProps) {
  const parts = relativeParts(value)
  const [chosen, choose] = useState<string>(fixed)
  const kind = value === '' ? chosen : (parts?.unit ?? fixed)
  const switchTo = (next: string) => {
    choose(next)
    onChange(next === fixed || !parts ? '' : relativeDay(parts.count, next as RelativeUnit))
  }
  const name = isLabelShown ? { label } : { 'aria-label': label }
  return (
    <div className={classes.pair}>
      {kind === fixed ? (
        <DayInput
          {...name}
          value={value === '' ? null : value}
          clearable
          clearLabel={`Clear ${label}`}
          onCommit={(day) => onChange(day ?? '')}
          error={error}
        />
      ) : (
        <CountInput
          // A new value resets typed text that was not applied.
          key={`${value} ${kind}`}
          name={name}
          count={parts ? String(parts.count) : ''}
          onCommit={(count) => onChange(count === '' ? '' : relativeDay(Number(count), kind as RelativeUnit))}
          error={error}
        />
      )}
      <NativeSelect
        {...(isLabelShown && { label: '\u00a0' })}
        aria-label={`Unit of ${label}`}
        data={kinds}
        value={kind}
        onChange={({ currentTarget }) => switchTo(currentTarget.value)}
      />
    </div>
  )
}

type CountInputProps = {
  name: { label: string } | { 'aria-label': string }
  count: string
  onCommit: (count: string) => void
  error: string | undefined
}

/** A number of units, committed on Enter or blur. */
function CountInput({ name, count, onCommit, error }: CountInputProps) {
  const [typed, type] = useState(count)
  const isValid = typed === '' || isSearchDay(`now-${typed}d`)
  const commit = () => {
    if (isValid && typed !== count) onCommit(typed)
  }
  return (
    <TextInput
      {...name}
      inputMode="numeric"
      placeholder="6"
      value={typed}
      error={isValid ? error : 'Must be a whole number up to 9999'}
      onChange={({ currentTarget }) => type(currentTarget.value.trim())}
      onKeyDown={({ key }) => key === 'Enter' && commit()}
      onBlur={commit}
    />
  )
}
