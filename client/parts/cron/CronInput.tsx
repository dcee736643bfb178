import { TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { cronParts, cronProblem, frequencyProblem } from '#events/schedules/cron.ts'
import { toQuartz } from '#events/schedules/quartz.ts'
import { type CronField, cronFieldOf, cronInputs, withCronField } from './cronText.ts'
import { CronMeaning } from './CronMeaning.tsx'
import classes from './CronInput.module.css'

type CronInputProps = {
  value: string
  onChange: (cron: string) => void
  disabled: boolean
  error?: ReactNode
  /** Path of the field in its form, for focusing it. */
  'data-path'?: string | undefined
}

/**
 * Edits a cron expression as text or field by field. Shows the expression that is saved, if it is another, with its
 * description and next runs.
 */
export function CronInput({ value, onChange, disabled, error, 'data-path': path }: CronInputProps) {
  const quartz = toQuartz(value)
  const problem = quartz === '' ? undefined : (cronProblem(quartz) ?? frequencyProblem(quartz))
  const isConverted = !problem && cronParts(value).join(' ') !== cronParts(quartz).join(' ')
  return (
    <div className="stack gap-12">
      <TextInput
        label="Cron"
        placeholder="Ex: 0 0 */4 * * ?"
        classNames={{ input: 'mono' }}
        spellCheck={false}
        autoComplete="off"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        disabled={disabled}
        error={error ?? (problem && `Cron ${problem}`)}
        data-path={path}
      />
      <fieldset className={classes.fields} disabled={disabled} aria-label="Cron fields">
        {cronInputs.map(({ field, label, range }) => (
          <FieldInput key={field} field={field} label={label} range={range} cron={quartz} onChange={onChange} />
        ))}
      </fieldset>
      {isConverted && (
        <output className="muted small">
          Saved as <code>{quartz}</code>
        </output>
      )}
      <CronMeaning cron={problem ? '' : quartz} />
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

/** One field. Keeps the typed text until blur. */
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
      classNames={{ description: 'small' }}
      size="xs"
      value={typed ?? cronFieldOf(cron, field)}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onBlur={leave}
    />
  )
}
