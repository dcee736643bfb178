import type { ComponentType, ReactNode } from 'react'
import type { EditTarget, FormDefinition } from '#client/app/defineForm.ts'

/** An input of a form. `F` are all fields of the form, `T` is the edited row. */
export type Input<F, T> = { [K in keyof F & string]: InputOf<F, T, K> }[keyof F & string]

type InputOf<F, T, K extends keyof F & string> = {
  name: K
  label: string | ((fields: F) => string)
  description?: ReactNode | ((edited: EditTarget<T>, fields: F) => ReactNode)
  placeholder?: string
  /** Hides the input if false. */
  isShown?: (fields: F, edited: EditTarget<T>) => boolean
  /** Read-only if true. */
  isFixed?: (edited: EditTarget<T>) => boolean
} & Kind<F[K], T>

type Kind<V, T> =
  /** `prefix` is shown in the input, also in rows, which have no visible labels. */
  | { kind?: 'text'; type?: 'text' | 'email' | 'url' | 'date'; prefix?: string }
  /** Write-only: left empty, the stored secret is kept, unless it was lost. */
  | { kind: 'secret'; autoComplete?: 'new-password' | 'current-password' }
  | { kind: 'number'; step?: number; unit?: string }
  | { kind: 'switch' | 'checkbox' }
  | { kind: 'select'; options: readonly Option[] }
  /** `propsOf` adds props that depend on the row. */
  | { kind: 'own'; Input: ComponentType<InputProps<V>>; propsOf?: (edited: EditTarget<T>) => object }

export type Option = { value: string; label: string }

/** Props of a custom input. */
export type InputProps<V> = {
  label: string
  description: ReactNode
  value: V
  onChange: (value: V) => void
  error?: ReactNode
  disabled: boolean
}

/** Inputs that rarely differ from their defaults, under a summary. */
export type FoldedInputs<F, T> = { summary: string; inputs: Input<F, T>[]; defaults: Partial<F> }

/** A form for the row `T` with the fields `F`, which sends the draft `D`. */
export type TableForm<T, F, D> = FormDefinition<F, D, T> & {
  /** Opens in a dialog, in place of the row, or in one of its cells. */
  opens: InDialog<T> | InRow<T>
  inputs: Input<F, T>[]
  folded?: FoldedInputs<F, T>
  /** Content below the inputs of a dialog. */
  extra?: (fields: F) => ReactNode
  /** Also validates each field when it loses the focus. */
  checksOnBlur?: boolean
  /** Toast after saving; undefined if a secret is shown instead. */
  saved?: (fields: F, edited: EditTarget<T>) => string | undefined
}

export type InDialog<T> = {
  at: 'dialog'
  size?: 'S' | 'M' | 'L'
  title: (edited: EditTarget<T>) => string
  /** Label of the submit button. */
  saves: (edited: EditTarget<T>) => string
}

/** Inputs without visible labels; `labelOf` returns their accessible names. */
export type InRow<T> = {
  at: 'row' | { cell: string }
  words: (edited: EditTarget<T>) => { save: string; cancel: string }
  labelOf: (label: string, edited: EditTarget<T>) => string
}

/** Value to send for a secret: null keeps the stored one. */
export const secretOf = (text: string, edited: EditTarget<{ isPasswordLost: boolean }>): string | null =>
  edited !== 'new' && !edited.isPasswordLost && text === '' ? null : text
