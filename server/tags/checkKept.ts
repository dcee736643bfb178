import type { SubError } from '#events/problem.ts'
import { validationErrors } from '#server/platform/problem.ts'

/** Throws 400 that names each text of a search which the store of jobs cannot hold: those with NUL or half a character. */
export function checkKept(search: object): void {
  const wrong = fieldsIn(search).map((field): SubError => ({
    field,
    message: 'holds a character that cannot be stored',
  }))
  if (wrong.length > 0) throw validationErrors(wrong)
}

const fieldsIn = (value: object): string[] =>
  Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (!isStorable(name) || (typeof inner === 'string' && !isStorable(inner))) return [name]
    return typeof inner === 'object' && inner !== null ? fieldsIn(inner).map((field) => `${name}.${field}`) : []
  })

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
