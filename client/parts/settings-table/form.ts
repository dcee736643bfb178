import type { ComponentType, ReactNode } from 'react'
import type { z } from 'zod'
import { type Labels, checkedBy } from '#client/app/form.ts'

/** Edited row, or 'new'. */
export type EditTarget<T> = T | 'new'

/** Values of a form by field. */
export type Fields = Record<string, unknown>

/** A field of a form. `F` are all fields of the form, `T` is the edited row. */
export type Field<F, T> = { [K in keyof F & string]: FieldOf<F, T, K> }[keyof F & string]

type FieldOf<F, T, K extends keyof F & string> = {
  name: K
  label: string | ((fields: F) => string)
  description?: ReactNode | ((edited: EditTarget<T>, fields: F) => ReactNode)
  placeholder?: string
  /** Hides the field if false. */
  isShown?: (fields: F, edited: EditTarget<T>) => boolean
  /** Read-only if true. */
  isFixed?: (edited: EditTarget<T>) => boolean
} & Kind<F[K]>

type Kind<V> =
  | { kind?: 'text'; type?: 'text' | 'email' | 'url' }
  /** Write-only: left empty, the stored secret is kept, unless it was lost. */
  | { kind: 'secret'; autoComplete?: 'new-password' | 'current-password' }
  | { kind: 'number'; step?: number; unit?: string }
  | { kind: 'switch' | 'checkbox' }
  | { kind: 'select'; options: readonly Option[] }
  | { kind: 'own'; Input: ComponentType<InputProps<V>> }

export type Option = { value: string; label: string }

/** Props of a custom input. */
type InputProps<V> = {
  label: string
  description: ReactNode
  value: V
  onChange: (value: V) => void
  error?: ReactNode
  disabled: boolean
}

/** A form for the row `T` with the fields `F`, which sends the draft `D`. */
export type TableForm<T, F, D> = {
  /** Opens in a dialog, in place of the row, or in one of its cells. */
  opens: InDialog<T> | InRow<T>
  fields: Field<F, T>[]
  initial: (edited: EditTarget<T>) => F
  /** Validates the draft, with the server's messages. */
  schema: z.ZodType
  draftOf: (fields: F, edited: EditTarget<T>) => D
  /** Name of the input for a field of the draft, if they differ. */
  shownAt?: (field: string) => string
  labels?: Labels | ((fields: F) => Labels)
  /** Toast after saving; undefined if a secret is shown instead. */
  saved?: (fields: F, edited: EditTarget<T>) => string | undefined
}

export type InDialog<T> = {
  at: 'dialog'
  size?: 'S' | 'M'
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

/** Validation errors by field. */
export function formErrors<T, F, D>(
  form: TableForm<T, F, D>,
  fields: F,
  edited: EditTarget<T>,
): Record<string, string> {
  const { schema, draftOf, shownAt = (field) => field, labels } = form
  const errors = checkedBy(schema, typeof labels === 'function' ? labels(fields) : labels)(draftOf(fields, edited))
  return Object.fromEntries(Object.entries(errors).map(([field, message]) => [shownAt(field), message]))
}

/** Value to send for a secret: null keeps the stored one. */
export const secretOf = (text: string, edited: EditTarget<{ isPasswordLost: boolean }>): string | null =>
  edited !== 'new' && !edited.isPasswordLost && text === '' ? null : text
