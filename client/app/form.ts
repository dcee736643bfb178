import type { z } from 'zod'
import type { SubError } from '#events/contract/problem.ts'

/** What fields of a call are called on screen, where that is not their name. */
export type Labels = Readonly<Record<string, string>>

/**
 * `name` + `can't be empty` reads `Name can't be empty`: the same for what the browser and what the server finds. What
 * begins with a capital is a sentence already.
 */
const worded = (field: string, message: string, labels: Labels) => {
  if (/^[A-Z]/.test(message)) return message
  const label = (field.split('.').at(-1) ?? field).replace(/([a-z])([A-Z])/g, '$1 $2')
  return `${labels[field] ?? `${label.charAt(0).toUpperCase()}${label.slice(1).toLowerCase()}`} ${message}`
}

/** What the server says of fields, as a form shows it. */
export const fieldErrors = (subErrors: readonly SubError[], labels: Labels = {}): Record<string, string> =>
  Object.fromEntries(subErrors.map(({ field, message }) => [field, worded(field, message, labels)]))

/** Checks a form with the schema of the call that it makes. */
export const checkedBy = (schema: z.ZodType, labels?: Labels) => (values: unknown) => {
  const read = schema.safeParse(values)
  if (read.success) return {}
  const firsts = read.error.issues.toReversed().map(({ path, message }) => ({ field: path.join('.'), message }))
  return fieldErrors(firsts, labels)
}

/** The addresses in a text, separated by commas, semicolons, blanks or lines. */
export const typedAddresses = (text: string): string[] => text.split(/[\s,;]+/).filter((address) => address !== '')
