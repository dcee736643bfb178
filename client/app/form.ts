import type { z } from 'zod'
import type { SubError } from '#events/contract/problem.ts'

/** Labels of fields that differ from their names in the API. `addresses.*` is the label of each element. */
export type Labels = Readonly<Record<string, string>>

/**
 * `name` + `can't be empty` gives `Name can't be empty`, for errors of browser and server alike. Messages that start
 * with a capital are complete sentences.
 */
const asSentence = (field: string, message: string, labels: Labels) => {
  if (/^[A-Z]/.test(message)) return message
  const label = (field.split('.').at(-1) ?? field).replace(/([a-z])([A-Z])/g, '$1 $2')
  const own = labels[field] ?? labels[field.replaceAll(/\.\d+(?=\.|$)/g, '.*')]
  return `${own ?? `${label.charAt(0).toUpperCase()}${label.slice(1).toLowerCase()}`} ${message}`
}

/** The server's field errors, as messages by field. */
export const fieldErrors = (subErrors: readonly SubError[], labels: Labels = {}): Record<string, string> =>
  Object.fromEntries(subErrors.map(({ field, message }) => [field, asSentence(field, message, labels)]))

/** Validates a form with the schema of its API call. */
export const checkedBy = (schema: z.ZodType, labels?: Labels) => (values: unknown) => {
  const read = schema.safeParse(values)
  if (read.success) return {}
  const firsts = read.error.issues.toReversed().map(({ path, message }) => ({ field: path.join('.'), message }))
  return fieldErrors(firsts, labels)
}

/** Splits text into addresses at commas, semicolons and white space. */
export const typedAddresses = (text: string): string[] => text.split(/[\s,;]+/).filter((address) => address !== '')

/** Number in an input; NaN if empty, which fails validation. */
export const typedNumber = (value: number | string): number => (value === '' ? Number.NaN : Number(value))
