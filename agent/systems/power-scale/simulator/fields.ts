import { refused } from './errors.ts'
import type { Incoming } from './requests.ts'

type FieldType = 'string' | 'integer' | 'boolean' | 'array' | 'object'

/** Reads the body of a request, an object with these fields. A type that ends in `?` is of a field that may be missing. */
export function bodyOf(
  { headers, body }: Pick<Incoming, 'headers' | 'body'>,
  fields: Record<string, FieldType | `${FieldType}?`>,
): Record<string, unknown> {
  if (!headers['content-type']?.startsWith('application/json'))
    throw refused('AEC_BAD_REQUEST', 'The content type must be application/json.')
  const values = objectOf(parsed(body.toString()))
  checkFields(values, fields)
  return values
}

export function checkFields(
  values: Record<string, unknown>,
  fields: Record<string, FieldType | `${FieldType}?`>,
): void {
  for (const name of Object.keys(values))
    if (!(name in fields)) throw refused('AEC_BAD_REQUEST', `Property ${name} is not in the schema.`, name)
  for (const [name, type] of Object.entries(fields)) {
    const value = values[name]
    if (value === undefined && type.endsWith('?')) continue
    if (value === undefined) throw refused('AEC_ARG_REQUIRED', `Property ${name} is required.`, name)
    if (!isOfType(value, type)) throw refused('AEC_BAD_REQUEST', `Property ${name} is of the wrong type.`, name)
  }
}

function isOfType(value: unknown, type: string): boolean {
  if (type.startsWith('array')) return Array.isArray(value)
  if (type.startsWith('integer')) return Number.isSafeInteger(value)
  return typeof value === type.replace('?', '') && value !== null
}

export function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refused('AEC_BAD_REQUEST', 'The body must be an object.')
  return value as Record<string, unknown>
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refused('AEC_BAD_REQUEST', 'The body is no JSON.')
  }
}
