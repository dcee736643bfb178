import { Checkbox, NativeSelect, NumberInput, PasswordInput, Switch, TextInput } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import type { EditTarget, Fields } from '#client/app/defineForm.ts'
import type { FormState } from '#client/app/useSavedForm.ts'
import type { Row } from './declaration.ts'
import type { Input as Declared } from './form.ts'

export type FormInputsProps<T extends Row, F extends Fields> = {
  inputs: Declared<F, T>[]
  form: FormState<F>
  busy: boolean
  edited: EditTarget<T>
  /** Inputs in a row have only accessible labels, which include the row. */
  labelOf?: (label: string, edited: EditTarget<T>) => string
  /** False if inputs before these take the focus when the form opens. */
  takesFocus?: boolean
}

export function FormInputs<T extends Row, F extends Fields>(props: FormInputsProps<T, F>) {
  const { inputs, form, edited, takesFocus = true } = props
  return inputs
    .filter(({ isShown }) => isShown?.(form.values, edited) ?? true)
    .map((input, place) => <FormInput key={input.name} {...props} input={input} isFirst={takesFocus && place === 0} />)
}

type FormInputProps<T extends Row, F extends Fields> = FormInputsProps<T, F> & {
  input: Declared<F, T>
  isFirst: boolean
}

function FormInput<T extends Row, F extends Fields>({ input, ...props }: FormInputProps<T, F>) {
  const { form, edited, busy, isFirst, labelOf } = props
  const isFixed = input.isFixed?.(edited) ?? false
  const isChecked = input.kind === 'switch' || input.kind === 'checkbox'
  const label = typeof input.label === 'string' ? input.label : input.label(form.values)
  const { placeholder = labelOf && label } = input
  const common = {
    ...(labelOf
      ? // Not disabled, since it would lose the focus.
        { 'aria-label': labelOf(label, edited), readOnly: busy }
      : { label, description: descriptionOf(input, edited, form.values), disabled: busy || isFixed }),
    ...(placeholder !== undefined && { placeholder }),
    ...(isFirst && !isFixed && !labelOf && { 'data-autofocus': true }),
    ...propsOf(input, edited),
    ...form.getInputProps(input.name, { type: isChecked ? 'checkbox' : 'input' }),
  }
  return <Input input={input} label={label} common={common} />
}

const propsOf = <T extends Row, F extends Fields>(input: Declared<F, T>, edited: EditTarget<T>) =>
  input.kind === 'own' ? input.propsOf?.(edited) : undefined

type InputOf<T extends Row, F extends Fields> = { input: Declared<F, T>; label: string; common: Common }
/** Props of all inputs. */
type Common = ReturnType<FormState<Fields>['getInputProps']> & {
  label?: string
  placeholder?: string
}

/** Input by kind. */
function Input<T extends Row, F extends Fields>({ input, label, common }: InputOf<T, F>) {
  switch (input.kind) {
    case 'secret':
      return (
        <PasswordInput
          autoComplete={input.autoComplete ?? 'new-password'}
          visibilityToggleButtonProps={{ 'aria-label': `Show the ${label.toLowerCase()}` }}
          {...common}
        />
      )
    case 'number': {
      const { step, unit } = input
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
      return <NativeSelect data={input.options} {...common} />
    case 'own': {
      const Own = input.Input as ComponentType<Common>
      return <Own {...common} />
    }
    default: {
      const { type = 'text', prefix } = input
      const side = prefix !== undefined && { leftSection: prefix, leftSectionWidth: 46 }
      return <TextInput type={type} autoComplete="off" {...side} {...common} />
    }
  }
}

function descriptionOf<T extends Row, F>(
  { kind, description }: Declared<F, T>,
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
