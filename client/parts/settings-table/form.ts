import type { ComponentType, ReactNode } from 'react'
import type { z } from 'zod'
import { type Labels, checkedBy } from '#client/app/form.ts'

/** The row that is edited, or that one is added. */
export type Edited<T> = T | 'new'

/** What a form holds, by field. */
export type Fields = Record<string, unknown>

/** A field of a form: `F` are all fields of the form, `T` is the row that it edits. */
export type Field<F, T> = { [K in keyof F & string]: FieldOf<F, T, K> }[keyof F & string]

type FieldOf<F, T, K extends keyof F & string> = {
  name: K
  label: string | ((fields: F) => string)
  description?: ReactNode | ((edited: Edited<T>, fields: F) => ReactNode)
  placeholder?: string
  /** Whether it is there at all. */
  isShown?: (fields: F, edited: Edited<T>) => boolean
  /** Whether it is read only. */
  isFixed?: (edited: Edited<T>) => boolean
} & Kind<F[K]>

type Kind<V> =
  | { kind?: 'text'; type?: 'text' | 'email' | 'url' }
  /** It goes in and never comes out: left empty, what is stored stays, unless that was lost. */
  | { kind: 'secret'; autoComplete?: 'new-password' | 'current-password' }
  | { kind: 'number'; step?: number; unit?: string }
  | { kind: 'switch' | 'checkbox' }
  | { kind: 'select'; options: readonly Option[] }
  | { kind: 'own'; Input: ComponentType<InputProps<V>> }

export type Option = { value: string; label: string }

/** What an input of its own kind is given. */
export type InputProps<V> = {
  label: string
  description: ReactNode
  value: V
  onChange: (value: V) => void
  error?: ReactNode
  disabled: boolean
}

/** A form of the row `T` with the fields `F`, which sends the draft `D`. */
export type TableForm<T, F, D> = {
  /** Where it opens: over the page, in place of the row, or in a cell of it. */
  opens: InDialog<T> | InRow<T>
  fields: Field<F, T>[]
  initial: (edited: Edited<T>) => F
  /** Checks what is sent, in the server's words. */
  schema: z.ZodType
  draftOf: (fields: F, edited: Edited<T>) => D
  /** The field that shows what is said of a field of the draft, where the two have different names. */
  shownAt?: (field: string) => string
  labels?: Labels | ((fields: F) => Labels)
  /** What is said when it was saved; nothing where a secret is shown. */
  saved?: (fields: F, edited: Edited<T>) => string | undefined
}

export type InDialog<T> = {
  at: 'dialog'
  size?: 'S' | 'M'
  title: (edited: Edited<T>) => string
  /** The button that saves. */
  saves: (edited: Edited<T>) => string
}

/** Its fields have no labels in sight: `labelOf` says what is heard. */
export type InRow<T> = {
  at: 'row' | { cell: string }
  words: (edited: Edited<T>) => { save: string; cancel: string }
  labelOf: (label: string, edited: Edited<T>) => string
}

/** What is wrong with the fields of a form, by field. */
export function formErrors<T, F, D>(form: TableForm<T, F, D>, fields: F, edited: Edited<T>): Record<string, string> {
  const { schema, draftOf, shownAt = (field) => field, labels } = form
  const errors = checkedBy(schema, typeof labels === 'function' ? labels(fields) : labels)(draftOf(fields, edited))
  return Object.fromEntries(Object.entries(errors).map(([field, message]) => [shownAt(field), message]))
}

/** What is sent of a secret: null keeps the one that is stored. */
export const secretOf = (text: string, edited: Edited<{ isPasswordLost: boolean }>): string | null =>
  edited !== 'new' && !edited.isPasswordLost && text === '' ? null : text
