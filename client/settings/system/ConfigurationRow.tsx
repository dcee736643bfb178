import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { countText } from '#client/ui/text/count.ts'
import type { ConfigurationField } from './useConfiguration.ts'
import classes from './Configuration.module.css'

type RowProps = {
  /** Id of the labeled control; not needed for buttons. */
  id?: string
  label: string
  explanation: string
  children: ReactNode
}

/** A setting with explanation and control. */
export function ConfigurationRow({ id, label, explanation, children }: RowProps) {
  return (
    <div className={classes.row}>
      <div className="shrink">
        {id ? (
          <label className="strong" htmlFor={id}>
            {label}
          </label>
        ) : (
          <span className="strong">{label}</span>
        )}
        <p className="muted small" id={id && `${id}-explanation`}>
          {explanation}
        </p>
      </div>
      <div className="stack shrink">{children}</div>
    </div>
  )
}

/** Props of all rows. */
export type FieldProps = { label: string; explanation: string; field: ConfigurationField }

/** Numbers are grouped while they aren't edited. */
export function TextRow({ label, explanation, field, ...input }: FieldProps & { placeholder?: string; unit?: string }) {
  const id = useId()
  const [isEdited, edit] = useState(false)
  const { unit, ...others } = input
  return (
    <ConfigurationRow id={id} label={label} explanation={explanation}>
      <TextInput
        id={id}
        aria-describedby={`${id}-explanation`}
        autoComplete="off"
        value={unit && !isEdited && /^\d+$/.test(field.value) ? countText(Number(field.value)) : field.value}
        onFocus={() => edit(true)}
        onBlur={() => edit(false)}
        error={field.problem}
        disabled={field.busy}
        rightSection={unit && <span className="muted small">{unit}</span>}
        rightSectionWidth={unit ? 72 : undefined}
        onChange={({ currentTarget }) => field.set(currentTarget.value)}
        {...others}
      />
    </ConfigurationRow>
  )
}

export function ChoiceRow({
  label,
  explanation,
  field,
  choices = {},
}: FieldProps & { choices?: Record<string, string> }) {
  const id = useId()
  return (
    <ConfigurationRow id={id} label={label} explanation={explanation}>
      <NativeSelect
        id={id}
        aria-describedby={`${id}-explanation`}
        data={Object.entries(choices).map(([value, text]) => ({ value, label: text }))}
        value={field.value}
        disabled={field.busy}
        onChange={({ currentTarget }) => field.set(currentTarget.value)}
      />
    </ConfigurationRow>
  )
}

export function SwitchRow({ label, explanation, field }: FieldProps) {
  const id = useId()
  return (
    <ConfigurationRow id={id} label={label} explanation={explanation}>
      <Switch
        id={id}
        aria-describedby={`${id}-explanation`}
        checked={field.value === 'true'}
        disabled={field.busy}
        onChange={({ currentTarget }) => field.set(String(currentTarget.checked))}
      />
    </ConfigurationRow>
  )
}
