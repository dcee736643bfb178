import { defineForm, type EditTarget, type Fields, type Form, type FormDefinition } from '#client/app/defineForm.ts'
import type { Labels } from '#client/app/form.ts'
import { type FormOptions, type Input, type InputOf, type Kind, secretOf } from './form.ts'

/**
 * A field of a form: its input, its default, its property in the row `T`, and its property in the draft `D`. `K` is the
 * field's name, `V` its value, and `F` are all fields of the form.
 */
type Field<K, V, F extends Fields, T, D> = InputOf<V, F, T> & {
  /** Value in a new row. Ids are text, and '' if nothing is selected. */
  initial: V
  /** Label in messages, if it differs. */
  errorLabel?: string
  /** Error that the schema doesn't find, or words differently. */
  check?(value: V, fields: F): string | false | undefined
} & Kind<V, F, T> &
  (
    | ({ kind: 'secret' } & Secret<K, F, T, D>)
    | ({ kind?: OtherKind } & RowProperty<K, V, T> & DraftProperty<K, V, F, T, D>)
  )

type OtherKind = Exclude<Kind<never, Fields, never>['kind'], 'secret'>

/** A secret is never read. By default, null keeps the stored one. */
type Secret<K, F, T, D> = { read?: undefined; write?: Write<string, F, T, D[keyof D]> } & (K extends keyof D
  ? { to?: readonly [K, ...string[]] }
  : { to: keyof D })

/** By default, the value is the row's property with the field's name. */
type RowProperty<K, V, T> = K extends keyof T
  ? [T[K]] extends [V]
    ? { read?(row: T): V }
    : { read(row: T): V }
  : { read(row: T): V }

/** By default, the draft's property with the field's name is the value. */
type DraftProperty<K, V, F, T, D> =
  | (K extends keyof D
      ? [V] extends [D[K]]
        ? { to?: undefined; write?: Write<V, F, T, D[K]> }
        : { to?: undefined; write: Write<V, F, T, D[K]> }
      : never)
  | { [P in keyof D & string]: To<P, Write<V, F, T, D[P]>> | NestedProperty<P, V, F, T, D[P]> }[keyof D & string]
  /** Paths whose errors the field shows; null if it isn't sent. */
  | { to: `${string}.${string}` | readonly string[] | null; write?: undefined }

/** The property `P` of the draft, which also shows the errors of further paths. */
type To<P, W> = { to: P | readonly [P, ...string[]]; write: W }

/** A property of the object `O`, which is the draft's property `P`. */
type NestedProperty<P extends string, V, F, T, O> = O extends readonly unknown[] | string
  ? never
  : { [Q in keyof O & string]: To<`${P}.${Q}`, Write<V, F, T, O[Q]>> }[keyof O & string]

/** Property of the draft for a value; undefined leaves it out. */
type Write<V, F, T, W> = { of(value: V, fields: F, edited: EditTarget<T>): W | undefined }['of']

type Description<F extends Fields, T, D> = FormOptions<NoInfer<F>, T> & {
  schema: FormDefinition<NoInfer<F>, D, T>['schema']
  /** In the order of the inputs. */
  fields: { [K in keyof F]: { initial: F[K] } & Field<K, NoInfer<F[K]>, NoInfer<F>, T, D> }
  /** Labels of parts of a property, such as the elements of a list. */
  labels?(fields: NoInfer<F>): Labels
  /** Properties of the draft that depend on several fields. */
  draft?(fields: NoInfer<F>, edited: EditTarget<T>): Partial<D>
}

/** A form with its inputs. */
export type DescribedForm<F extends Fields, T, D> = Form<F, D, T> &
  FormOptions<F, T> & {
    rows: Description<F, T, D>['fields']
    inputs: Input<T>[]
  }

/** A field of any form. */
type AnyField<T> = Input<T> & {
  initial: unknown
  errorLabel?: string
  to?: string | readonly string[] | null
  read?(row: T): unknown
  write?(value: unknown, fields: Fields, edited: EditTarget<T>): unknown
  check?(value: unknown, fields: Fields): string | false | undefined
}

/**
 * Defines a form for the row `T` that sends the draft `D`, by one description of each field. Fields that aren't shown are
 * sent with their initial values.
 */
export const describeForm =
  <T extends object, D>() =>
  <F extends Fields>(description: Description<F, T, D>): DescribedForm<F, T, D> => {
    const { schema, fields: rows, draft, labels, ...options } = description
    const fields: AnyField<T>[] = Object.entries(rows).map(([name, field]) => ({ ...field, name }))
    const initial = Object.fromEntries(fields.map((field) => [field.name, field.initial])) as F
    const form = defineForm<F, D, T>({
      schema,
      fields: initial,
      fromRow: (row) => Object.fromEntries(fields.map((field) => [field.name, readField(field, row)])) as F,
      toDraft(values, edited) {
        const isHidden = ({ isShown }: AnyField<T>) => isShown?.(values, edited) === false
        const hidden = fields.filter(isHidden)
        const sent: F = { ...values, ...Object.fromEntries(hidden.map(({ name, initial }) => [name, initial])) }
        const written: Fields = {}
        for (const field of fields) writeField(written, field, isHidden(field), sent, edited)
        return { ...written, ...draft?.(sent, edited) } as D
      },
      inputFor: Object.fromEntries(fields.flatMap((field) => pathsOf(field).map((path) => [path, field.name]))),
      labels: (values) => ({ ...labelsOf(fields, values), ...labels?.(values) }),
      check: (values) =>
        Object.fromEntries(fields.map(({ name, check }) => [name, check?.(values[name], values)])) as Errors<F>,
    })
    return {
      ...options,
      ...form,
      rows,
      inputs: fields,
    }
  }

type Errors<F> = Partial<Record<keyof F & string, string>>

function readField<T extends object>({ name, kind, initial, read }: AnyField<T>, row: T): unknown {
  if (read) return read(row)
  const stored = (row as Fields)[name]
  return kind === 'secret' || stored === undefined ? initial : stored
}

/** Writes a field to its property of the draft. A secret that isn't shown is empty. */
function writeField<T>(
  draft: Fields,
  field: AnyField<T>,
  isHidden: boolean,
  fields: Fields,
  edited: EditTarget<T>,
): void {
  const { name, kind, write } = field
  const [path = name] = pathsOf(field)
  const value = fields[name]
  if (write) setAt(draft, path.split('.'), write(value, fields, edited))
  else if (kind === 'secret' && !isHidden) draft[path] = secretOf(String(value), edited as EditTarget<object>)
  else if (typeof field.to !== 'object' && !path.includes('.')) draft[path] = value
}

function setAt(draft: Fields, [property = '', ...rest]: string[], value: unknown): void {
  if (value === undefined) return
  if (rest.length === 0) draft[property] = value
  else setAt((draft[property] ??= {}) as Fields, rest, value)
}

/** Paths of the draft whose errors a field shows. The first one may be the property that it writes. */
const pathsOf = <T>({ name, to = name }: AnyField<T>): string[] => (to === null ? [] : [to].flat())

function labelsOf<T>(fields: AnyField<T>[], values: Fields): Labels {
  const labels = fields.flatMap((field) => {
    const { errorLabel = typeof field.label === 'string' ? field.label : field.label(values) } = field
    // Objects are selected by their id.
    return pathsOf(field).flatMap((path) => [
      [path, errorLabel],
      [`${path}.id`, errorLabel],
    ])
  })
  return Object.fromEntries(labels)
}
