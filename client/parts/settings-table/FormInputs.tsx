import { Checkbox, NativeSelect, NumberInput, PasswordInput, Radio, Switch, TextInput } from '@mantine/core'
import type { ComponentType } from 'react'
import type { EditTarget, Fields } from '#client/app/defineForm.ts'
import { Folded } from '#client/ui/Folded.tsx'
import type { Input as Description, InputForm, InputProps } from './form.ts'
import classes from './SettingsTable.module.css'

type FormInputsProps<T> = {
  inputs: readonly Description<T>[]
  form: InputForm
  busy: boolean
  edited: EditTarget<T>
  /** Inputs in a row have only accessible labels, which include the row. */
  labelOf?: (label: string, edited: EditTarget<T>) => string
  /** False if inputs before these take the focus when the form opens. */
  takesFocus?: boolean
}

/** Inputs of a form that are shown. */
export function FormInputs<T>({ inputs, takesFocus = true, ...props }: FormInputsProps<T>) {
  const { form, edited } = props
  const shown = inputs.filter(({ isShown }) => isShown?.(form.values, edited) ?? true)
  const plain = shown.filter(({ foldedUnder }) => foldedUnder === undefined)
  const folded = shown.filter(({ foldedUnder }) => foldedUnder !== undefined)
  const first = plain.find(({ takesFocus }) => takesFocus) ?? plain[0]
  return shown.map((input) => {
    const { name, foldedUnder: summary } = input
    if (summary === undefined)
      return <FormInput key={name} {...props} input={input} isFirst={takesFocus && input === first} />
    return input === folded[0] && <FoldedInputs key={name} {...props} summary={summary} inputs={folded} />
  })
}

type FoldedInputsProps<T> = Omit<FormInputsProps<T>, 'takesFocus'> & { summary: string }

/** Inputs under a summary. They are shown if one is invalid or differs from its default. */
function FoldedInputs<T>({ summary, inputs, ...props }: FoldedInputsProps<T>) {
  const { values, errors } = props.form
  return (
    <Folded
      summary={summary}
      isSet={inputs.some(({ name, initial }) => values[name] !== initial)}
      isInvalid={inputs.some(({ name }) => errors[name] !== undefined)}
    >
      {inputs.map((input) => (
        <FormInput key={input.name} {...props} input={input} isFirst={false} />
      ))}
    </Folded>
  )
}

type FormInputProps<T> = Omit<FormInputsProps<T>, 'inputs' | 'takesFocus'> & { input: Description<T>; isFirst: boolean }

function FormInput<T>(props: FormInputProps<T>) {
  const { input, labelOf, form, edited, busy } = props
  const { name, kind } = input
  if (kind === 'drawn') return input.draw(props)
  const label = wordsOf(input.label, form.values)
  const placeholder = wordsOf(input.placeholder, form.values) ?? (labelOf && label)
  const isChecked = kind === 'switch' || kind === 'checkbox'
  const common = {
    ...(labelOf
      ? // Not disabled, since it would lose the focus.
        { 'aria-label': labelOf(label, edited), readOnly: busy }
      : labelledProps(props, label)),
    ...(placeholder !== undefined && { placeholder }),
    ...(kind === 'own' && input.propsOf?.(edited, form.values)),
    ...form.getInputProps(name, { type: isChecked ? 'checkbox' : 'input' }),
    ...(input.changes && { onChange: withOthers(props) }),
  }
  return <Input input={input} label={label} edited={edited} fields={form.values} common={common} />
}

/** Props of an input with a visible label. */
function labelledProps<T>({ input, form, edited, busy, isFirst }: FormInputProps<T>, label: string) {
  const isFixed = input.isFixed?.(edited) ?? false
  const description = descriptionOf(input, edited, form.values)
  return { label, description, disabled: busy || isFixed, ...(isFirst && !isFixed && { 'data-autofocus': true }) }
}

/** A part of a description, or the result of its function. */
const wordsOf = <F, W>(words: W | ((of: F) => W), of: F): W =>
  typeof words === 'function' ? (words as (of: F) => W)(of) : words

/** Changes a field, and the other fields that change with it. */
const withOthers =
  <T,>({ input: { name, changes }, form, edited }: FormInputProps<T>) =>
  (change: unknown) => {
    const value = isEvent(change) ? change.currentTarget.value : change
    const others = changes?.(value, form.values, edited)
    for (const [field, to] of Object.entries({ [name]: value, ...others })) form.setFieldValue(field, to)
  }

const isEvent = (change: unknown): change is { currentTarget: { value: string } } =>
  typeof change === 'object' && change !== null && 'currentTarget' in change

type InputOf<T> = { input: Description<T>; label: string; edited: EditTarget<T>; fields: Fields; common: Common }
/** Props of all inputs. */
type Common = ReturnType<InputForm['getInputProps']> & { label?: string; placeholder?: string; disabled?: boolean }

/** Input by kind. */
function Input<T>({ input, label, edited, fields, common }: InputOf<T>) {
  switch (input.kind) {
    case 'secret':
      return (
        <PasswordInput
          autoComplete={input.autoComplete ?? 'new-password'}
          visibilityToggleButtonProps={{ 'aria-label': `Show the ${label.toLowerCase()}` }}
          {...common}
        />
      )
    case 'number':
      return <NumberOf step={input.step} unit={input.unit} hideControls={input.hideControls} {...common} />
    case 'switch':
      return <Switch {...common} />
    case 'checkbox':
      return <Checkbox {...common} />
    case 'select':
      return <NativeSelect data={wordsOf(input.options, fields)} {...common} />
    case 'radio':
      return <Radios {...common} options={wordsOf(input.options, edited)} />
    case 'own': {
      const Own: ComponentType<InputProps<never>> = input.Input
      return <Own {...(common as Common & InputProps<never>)} />
    }
    default: {
      const { type = 'text', prefix } = input as Extract<Description<T>, { kind?: 'text' }>
      const side = prefix !== undefined && { leftSection: prefix, leftSectionWidth: 46 }
      return <TextInput type={type} autoComplete="off" {...side} {...common} />
    }
  }
}

type NumberProps = Common & { step: number | undefined; unit: string | undefined; hideControls: boolean | undefined }

/** A number with its unit, which takes the place of the controls. */
const NumberOf = ({ step, unit, hideControls = unit !== undefined, ...input }: NumberProps) => (
  <NumberInput
    inputMode="decimal"
    {...(step !== undefined && { step })}
    hideControls={hideControls}
    {...(unit !== undefined && { rightSection: unit })}
    {...(unit !== undefined && unit.length > 1 && { rightSectionWidth: 36 + 4 * unit.length })}
    {...input}
  />
)

type RadiosProps = Common & { options: readonly { value: string; label: string; description?: string }[] }

/** One of few values, below each other if they have descriptions. */
const Radios = ({ options, disabled = false, ...group }: RadiosProps) => (
  <Radio.Group inputWrapperOrder={['label', 'description', 'input', 'error']} {...group}>
    <div className={options.some(({ description }) => description) ? classes.options : classes.radios}>
      {options.map((option) => (
        <Radio key={option.value} disabled={disabled} {...option} />
      ))}
    </div>
  </Radio.Group>
)

function descriptionOf<T>({ kind, description }: Description<T>, edited: EditTarget<T>, fields: InputForm['values']) {
  const own = typeof description === 'function' ? description(edited, fields) : description
  const isLost = edited !== 'new' && (edited as { isPasswordLost?: boolean }).isPasswordLost
  const ofSecret = kind === 'secret' && edited !== 'new' && (isLost ? lost : kept)
  if (!own || !ofSecret) return own || ofSecret || undefined
  return (
    <>
      {own} {ofSecret}
    </>
  )
}

const lost = 'It was encrypted with a different key than the server has now: enter it again.'
const kept = 'Leave it empty to keep it. It is never shown.'
