import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { cronProblem } from '#events/schedules/cron.ts'
import { type CronField, cronFieldOf, cronInputs, withCronField } from './cronText.ts'
import { CronWords } from './CronWords.tsx'
import { NextTimes } from './NextTimes.tsx'
import classes from './CronInput.module.css'

type CronInputProps = {
  value: string
  onChange: (cron: string) => void
  disabled: boolean
  error?: ReactNode
  /** Where the form finds it, to give it the focus. */
  'data-path'?: string
}

/** A cron expression as text and by its fields, what it says in words, and when that is next. */
export function CronInput({ value, onChange, disabled, error, 'data-path': path }: CronInputProps) {
  const problem = value.trim() === '' ? undefined : cronProblem(value)
  return (
    <div className={classes.cron}>
      <TextInput
        label="Cron"
        placeholder="Ex: 0 0 */4 * * ?"
        classNames={{ input: classes.text }}
        spellCheck={false}
        autoComplete="off"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        disabled={disabled}
        error={error ?? (problem && `Cron ${problem}`)}
        data-path={path}
      />
      <fieldset className={classes.fields} disabled={disabled} aria-label="Cron by its fields">
        {cronInputs.map(({ field, label, range }) => (
          <FieldInput key={field} field={field} label={label} range={range} cron={value} onChange={onChange} />
        ))}
      </fieldset>
      <div className={classes.meaning}>
        {value.trim() === '' || problem ? (
          <p className={classes.unknown}>The next run times appear here once the expression is valid.</p>
        ) : (
          <>
            <p className={classes.words} aria-live="polite">
              <CronWords cron={value} />
            </p>
            <NextTimes cron={value} />
          </>
        )}
      </div>
    </div>
  )
}

type FieldProps = {
  field: CronField
  label: string
  range: string
  cron: string
  onChange: (cron: string) => void
}

/** One field. What is typed stands as it was typed until one leaves it. */
function FieldInput({
  field,
  label,
  range,
  cron,
  onChange,
}: FieldProps & { cron: string; onChange: (cron: string) => void }) {
  const [typed, type] = useState<string>()
  const change = (text: string) => {
    type(text)
    if (text.trim() !== '' || field === 'year') onChange(withCronField(cron, field, text))
  }
  const leave = () => {
    if (typed !== undefined && typed.trim() === '') onChange(withCronField(cron, field, ''))
    type(undefined)
  }
  return (
    <TextInput
      label={label}
      description={range}
      classNames={{ description: classes.range ?? '' }}
      size="xs"
      value={typed ?? cronFieldOf(cron, field)}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onBlur={leave}
    />
  )
}
