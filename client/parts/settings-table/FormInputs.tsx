import { Checkbox, NativeSelect, NumberInput, PasswordInput, Switch, TextInput } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import type { useSavedForm } from '#client/app/useSavedForm.ts'
import type { Row } from './declaration.ts'
import type { EditTarget, Field, Fields } from './form.ts'

type FormInputsProps<T extends Row, F extends Fields> = {
  fields: Field<F, T>[]
  form: ReturnType<typeof useSavedForm<F>>['form']
  busy: boolean
  edited: EditTarget<T>
  /** Inputs in a row have only accessible labels, which include the row. */
  labelOf?: (label: string, edited: EditTarget<T>) => string
}

export function FormInputs<T extends Row, F extends Fields>(props: FormInputsProps<T, F>) {
  const { fields, form, edited } = props
  return fields
    .filter(({ isShown }) => isShown?.(form.values, edited) ?? true)
    .map((field, place) => <FormInput key={field.name} {...props} field={field} isFirst={place === 0} />)
}

type FormInputProps<T extends Row, F extends Fields> = FormInputsProps<T, F> & { field: Field<F, T>; isFirst: boolean }

function FormInput<T extends Row, F extends Fields>({ field, ...props }: FormInputProps<T, F>) {
  const { form, edited, busy, isFirst, labelOf } = props
  const isFixed = field.isFixed?.(edited) ?? false
  const isChecked = field.kind === 'switch' || field.kind === 'checkbox'
  const label = typeof field.label === 'string' ? field.label : field.label(form.values)
  const { placeholder = labelOf && label } = field
  const common = {
    ...(labelOf
      ? // Not disabled, since it would lose the focus.
        { 'aria-label': labelOf(label, edited), readOnly: busy }
      : { label, description: descriptionOf(field, edited, form.values), disabled: busy || isFixed }),
    ...(placeholder !== undefined && { placeholder }),
    ...(isFirst && !isFixed && !labelOf && { 'data-autofocus': true }),
    ...form.getInputProps(field.name, { type: isChecked ? 'checkbox' : 'input' }),
  }
  return <Input field={field} label={label} common={common} />
}

type InputOf<T extends Row, F extends Fields> = { field: Field<F, T>; label: string; common: Common }
/** Props of all inputs. */
type Common = ReturnType<ReturnType<typeof useSavedForm>['form']['getInputProps']> & {
  label?: string
  placeholder?: string
}

/** Input of a field by kind. */
function Input<T extends Row, F extends Fields>({ field, label, common }: InputOf<T, F>) {
  switch (field.kind) {
    case 'secret':
      return (
        <PasswordInput
          autoComplete={field.autoComplete ?? 'new-password'}
          visibilityToggleButtonProps={{ 'aria-label': `Show the ${label.toLowerCase()}` }}
          {...common}
        />
      )
    case 'number': {
      const { step, unit } = field
      return (
        <NumberInput
          inputMode="decimal"
          {...(step !== undefined && { step })}
          {...(unit !== undefined && { rightSection: unit, hideControls: true })}
          {...common}
        />
      )
    }
    case 'switch':
      return <Switch {...common} />
    case 'checkbox':
      return <Checkbox {...common} />
    case 'select':
      return <NativeSelect data={field.options} {...common} />
    case 'own': {
      const Own = field.Input as ComponentType<Common>
      return <Own {...common} />
    }
    default:
      return <TextInput type={field.type ?? 'text'} autoComplete="off" {...common} />
  }
}

function descriptionOf<T extends Row, F>(
  { kind, description }: Field<F, T>,
  edited: EditTarget<T>,
  fields: F,
): ReactNode {
  const own = typeof description === 'function' ? description(edited, fields) : description
  const ofSecret = kind === 'secret' && edited !== 'new' && (edited.isPasswordLost ? lost : kept)
  if (!own || !ofSecret) return own || ofSecret || undefined
  return (
    <>
      {own} {ofSecret}
    </>
  )
}

const lost = 'It was encrypted with a different key than the server has now: enter it again.'
const kept = 'Leave it empty to keep it. It is never shown.'
