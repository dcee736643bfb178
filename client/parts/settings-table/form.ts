import type { ComponentType, ReactNode } from 'react'
import type { FormState } from '#client/app/useSavedForm.ts'
import type { EditTarget, FormDefinition, Fields, OfFields } from '#client/app/defineForm.ts'

/** An input of any form. `T` is the edited row. */
export type Input<T> = { name: string; initial?: unknown } & InputOf<unknown, Fields, T> & Kind<never, Fields, T>

/** Words and conditions of an input with the value `V`. `F` are all fields of its form. */
export type InputOf<V, F, T> = {
  label: string | OfFields<[fields: F], string>
  description?: ReactNode | OfFields<[edited: EditTarget<T>, fields: F], ReactNode>
  placeholder?: string | OfFields<[fields: F], string>
  /** Hides the input if false. Hidden fields are sent with their initial values. */
  isShown?(fields: F, edited: EditTarget<T>): boolean
  /** Read-only if true. */
  isFixed?(edited: EditTarget<T>): boolean
  /** Takes the focus when its form or step opens. By default, the first input does. */
  takesFocus?: true
  /** Summary of rarely used inputs, which hides this one and those that follow. */
  foldedUnder?: string
  /** Other fields that change with this one. */
  changes?(value: V, fields: F, edited: EditTarget<T>): Partial<F>
}

export type Kind<V, F extends Fields, T> =
  /** `prefix` is shown in the input, also in rows, which have no visible labels. */
  | { kind?: 'text'; type?: 'text' | 'email' | 'url' | 'date'; prefix?: string }
  /** Write-only: left empty, the stored secret is kept, unless it was lost. */
  | { kind: 'secret'; autoComplete?: 'new-password' | 'current-password' }
  | { kind: 'number'; step?: number; unit?: string; hideControls?: true }
  | { kind: 'switch' | 'checkbox' }
  | { kind: 'select'; options: readonly Option[] | OfFields<[fields: F], readonly Option[]> }
  /** One of few values, each with a description. */
  | {
      kind: 'radio'
      options: readonly DescribedOption[] | OfFields<[edited: EditTarget<T>], readonly DescribedOption[]>
    }
  /** `propsOf` adds props that depend on the row and the fields. */
  | { kind: 'own'; Input: ComponentType<InputProps<V>>; propsOf?(edited: EditTarget<T>, fields: F): object }
  /** Draws several fields at once, or changes other fields. */
  | { kind: 'drawn'; draw(state: DrawnProps<F, T>): ReactNode }

export type Option = { value: string; label: string }
type DescribedOption = Option & { description?: string }

/** Props of a custom input. */
export type InputProps<V> = {
  label: string
  description: ReactNode
  value: V
  onChange(value: V): void
  error?: ReactNode
  disabled: boolean
  /** Set for the input that takes the focus when its form opens. */
  'data-autofocus'?: boolean
}

/** State of a form for an input that draws itself. */
export type DrawnProps<F extends Fields, T = unknown> = {
  form: InputForm<F>
  busy: boolean
  edited: EditTarget<T>
  isFirst: boolean
}

/** The part of a form's state that inputs use. */
export type InputForm<F extends Fields = Fields> = Pick<
  FormState<F>,
  'values' | 'errors' | 'getInputProps' | 'setFieldValue'
>

/** A form for the row `T`, which sends the draft `D`. */
export type TableForm<T, D> = FormDefinition<Fields, D, T> &
  FormOptions<Fields, T> & {
    inputs: Input<T>[]
  }

export type FormOptions<F, T> = {
  /** Disables the submit button of a dialog while it is false. */
  isComplete?(fields: F): boolean
  /** Content below the inputs of a dialog. */
  extra?(fields: F): ReactNode
  /** Also validates each field when it loses the focus. */
  checksOnBlur?: boolean
  /** Toast after saving; undefined if a secret is shown instead. */
  saved?(fields: F, edited: EditTarget<T>): string | undefined
}

export type InDialog<T, F extends Fields = Fields> = {
  at: 'dialog'
  size?: 'S' | 'M' | 'L'
  title(edited: EditTarget<T>): string
  /** Names of inputs in a second column. */
  right?: readonly string[]
  /** Label of the submit button. */
  saves(edited: EditTarget<T>): string
  /** Another button next to it, such as a test of the entered values. */
  beside?(state: Omit<DrawnProps<F, T>, 'isFirst'>): ReactNode
}

/** Inputs without visible labels; `labelOf` returns their accessible names. */
export type InRow<T> = {
  at: 'row' | { cell: string }
  words(edited: EditTarget<T>): { save: string; cancel: string }
  labelOf(label: string, edited: EditTarget<T>): string
}

/** Choices of a select from labels by value. */
export const choicesOf = (labels: Readonly<Record<string, string>>): Option[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/** Input of a field that the one before it draws too. */
export const drawnBefore = { kind: 'drawn', draw: () => null } as const

/** Value to send for a secret: null keeps the stored one. */
export const secretOf = (text: string, edited: EditTarget<{ isPasswordLost?: boolean }>): string | null =>
  edited !== 'new' && !edited.isPasswordLost && text === '' ? null : text

/** Inputs of a form by name. */
export const pick = <T>({ inputs }: { inputs: readonly Input<T>[] }, names: readonly string[]): Input<T>[] =>
  names.flatMap((name) => inputs.find((input) => input.name === name) ?? [])

/** Inputs whose named ones take the focus, if they are shown. */
export const withFocusOn = <T>(inputs: readonly Input<T>[], names: readonly string[]): Input<T>[] =>
  inputs.map((input) => (names.includes(input.name) ? { ...input, takesFocus: true } : input))
