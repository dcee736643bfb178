import type { z } from 'zod'
import { CallError } from './call.ts'
import { type Labels, checkedBy, fieldErrors } from './form.ts'

/** Edited row, or 'new'. */
export type EditTarget<T> = T | 'new'

/** Values of a form by field. */
export type Fields = Record<string, unknown>

/**
 * A function of a form's fields. As a method, it is also one of any `Fields`, so components that render every form don't
 * depend on its fields.
 */
export type OfFields<A extends unknown[], R> = { of(...args: A): R }['of']

/** A form with the fields `F` for the row `T`, which sends the draft `D`. */
export type FormDefinition<F, D, T = never> = {
  /** Validates the draft, with the server's messages. */
  schema: z.ZodType | OfFields<[fields: F], z.ZodType>
  /** Values of a new row, in the order of the inputs. Ids are text, and '' if nothing is selected. */
  fields: F
  toDraft(fields: F, edited: EditTarget<T>): D
  /** Values of an existing row. Without it, rows can't be edited. */
  fromRow?(row: T): F
  /**
   * Fields that show errors of a draft's property with a different name: `{ serverId: 'agent' }`. A path covers all
   * paths below it, and the longest one applies.
   */
  inputFor?: Readonly<Record<string, keyof F & string>>
  /** Labels of the draft's properties in messages. */
  labels?: Labels | OfFields<[fields: F], Labels>
  /** Errors that the schema doesn't find, or words differently. They replace those of the schema. */
  check?(fields: F): Partial<Record<keyof F & string, string | false | undefined>>
}

export type Form<F, D, T = never> = FormDefinition<F, D, T> & {
  /** Initial values. */
  initial(edited: EditTarget<T>): F
  /** Validation errors by field, in the order of the fields. */
  errors(fields: F, edited?: EditTarget<T>): Record<string, string>
  /** The server's errors by field. Errors of unknown fields are left out. */
  rejections(error: unknown, fields: F): Record<string, string>
}

/** Defines a form: its fields, their conversion to the API and back, and the field of each error. */
export function defineForm<F extends object, D, T = never>(definition: FormDefinition<F, D, T>): Form<F, D, T> {
  const { schema, fields: empty, toDraft, fromRow, labels, check } = definition
  const names = Object.keys(empty)
  const labelsOf = (fields: F) => (typeof labels === 'function' ? labels(fields) : labels)
  const byInput = (errors: Record<string, string>) =>
    Object.fromEntries(Object.entries(errors).map(([path, message]) => [inputOf(definition, path), message]))
  return {
    ...definition,
    initial: (edited) => (edited === 'new' ? empty : (fromRow?.(edited) ?? empty)),
    errors(fields, edited = 'new') {
      const found = checkedBy(typeof schema === 'function' ? schema(fields) : schema, labelsOf(fields))
      const own = Object.entries<unknown>(check?.(fields) ?? {}).filter(
        (entry): entry is [string, string] => !!entry[1],
      )
      return inOrder({ ...byInput(found(toDraft(fields, edited))), ...Object.fromEntries(own) }, names)
    },
    rejections(error, fields) {
      const subErrors = error instanceof CallError ? error.subErrors : []
      const found = Object.entries(byInput(fieldErrors(subErrors, labelsOf(fields))))
      return inOrder(Object.fromEntries(found.filter(([name]) => Object.hasOwn(empty, name))), names)
    },
  }
}

/** The field that shows errors of a property of the draft, such as `paths.0.volumeId` or `paths[0].volumeId`. */
function inputOf<F, D, T>({ inputFor = {} }: FormDefinition<F, D, T>, path: string): string {
  const parts = path.replaceAll('[', '.').split('.')
  const listed = parts.map((_, i) => parts.slice(0, parts.length - i).join('.')).find((part) => part in inputFor)
  return (listed && inputFor[listed]) ?? parts[0] ?? path
}

const inOrder = (errors: Record<string, string>, names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).toSorted(([one], [other]) => names.indexOf(one) - names.indexOf(other)))
