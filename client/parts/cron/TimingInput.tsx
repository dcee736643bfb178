import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { CronInput } from './CronInput.tsx'
import { CronMeaning } from './CronMeaning.tsx'
import {
  daysOfMonth,
  type Frequency,
  type FrequencyChoice,
  type Timing,
  timingCron,
  timingProblem,
  weekdays,
} from './timing.ts'
import classes from './CronInput.module.css'

type TimesProps = {
  value: Timing
  onChange: (timing: Timing) => void
  disabled: boolean
  error?: ReactNode
  /** Path of the field in its form, for focusing it. */
  'data-path'?: string
}
type TimingInputProps = TimesProps & {
  label: string
  description?: ReactNode
  frequencies: readonly FrequencyChoice[]
  /** True if it takes the focus when its dialog opens. */
  isFirst?: boolean
}

/** Edits the times of a schedule: a frequency with its time, or a cron expression. Shows the next runs. */
export function TimingInput({ label, description, frequencies, isFirst = false, ...times }: TimingInputProps) {
  const { value, onChange, disabled } = times
  return (
    <div className="stack gap-12">
      <NativeSelect
        label={label}
        description={description}
        data={[...frequencies]}
        value={value.frequency}
        disabled={disabled}
        data-autofocus={isFirst || undefined}
        onChange={({ currentTarget }) => onChange({ ...value, frequency: currentTarget.value as Frequency })}
      />
      {value.frequency !== 'NEVER' && <Times {...times} />}
    </div>
  )
}

function Times({ value, onChange, disabled, error, 'data-path': path }: TimesProps) {
  if (value.frequency === 'CUSTOM')
    return (
      <CronInput
        value={value.custom}
        onChange={(custom) => onChange({ ...value, custom })}
        disabled={disabled}
        error={error}
        data-path={path}
      />
    )
  const isEmpty = value.frequency === 'HOURLY' ? value.minute === '' : value.time === ''
  const problem = isEmpty ? undefined : timingProblem(value)
  return (
    <>
      <div className={classes.inputs}>
        <DayInput value={value} onChange={onChange} disabled={disabled} />
        {value.frequency === 'HOURLY' ? (
          <NumberInput
            label="Minute"
            min={0}
            max={59}
            value={value.minute}
            onChange={(minute) => onChange({ ...value, minute: minute === '' ? '' : Number(minute) })}
            disabled={disabled}
            error={error ?? problem}
            data-path={path}
          />
        ) : (
          <TextInput
            label="Time"
            placeholder="02:00"
            autoComplete="off"
            value={value.time}
            onChange={({ currentTarget }) => onChange({ ...value, time: currentTarget.value })}
            // Typing replaces the time.
            onFocus={({ currentTarget }) => currentTarget.select()}
            disabled={disabled}
            error={error ?? problem}
            data-path={path}
          />
        )}
      </div>
      <CronMeaning cron={timingCron(value)} />
    </>
  )
}

/** The weekday, or the day of the month. */
function DayInput({ value, onChange, disabled }: Pick<TimesProps, 'value' | 'onChange' | 'disabled'>) {
  if (value.frequency === 'WEEKLY')
    return (
      <NativeSelect
        label="Day"
        data={weekdays}
        value={value.weekday}
        onChange={({ currentTarget }) => onChange({ ...value, weekday: currentTarget.value })}
        disabled={disabled}
      />
    )
  if (value.frequency !== 'MONTHLY') return null
  return (
    <NativeSelect
      label="Day of month"
      data={daysOfMonth}
      value={value.day}
      onChange={({ currentTarget }) => onChange({ ...value, day: currentTarget.value })}
      disabled={disabled}
    />
  )
}
