import { z } from 'zod'
import type { Endpoint } from '#events/contract/endpoint.ts'
import type { JsonSchema } from './schemas.ts'
import { callName } from './summaries.ts'
import { bodies } from './words/bodies.ts'

/** A body that the call accepts: that in `words/bodies.ts`, otherwise one with only the required fields. */
export function exampleOf(endpoint: Endpoint): unknown {
  const known = bodies[callName(endpoint)]
  if (known !== undefined || !endpoint.body) return known
  return valueOf(z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' }) as JsonSchema, '')
}

const ofFormat: Record<string, string> = {
  date: '2026-11-28',
  'date-time': '2026-11-28T10:00:00.000Z',
  email: 'ana@example.com',
  uri: 'https://example.com/',
}

function valueOf(schema: JsonSchema, name: string): unknown {
  const { const: fixed, enum: values, anyOf, oneOf, allOf, items, type } = schema
  if (fixed !== undefined) return fixed
  if (schema.default !== undefined) return schema.default
  if (values) return values[0]
  const part = (anyOf ?? oneOf)?.[0]
  if (part) return valueOf(part, name)
  if (allOf) return allOfValue(allOf, name)
  if (type === 'array') return items && (schema.minItems ?? 0) > 0 ? [valueOf(items, name)] : []
  return type === 'object' ? objectOf(schema) : scalarOf(schema, name)
}

function scalarOf(schema: JsonSchema, name: string): string | number | boolean {
  const { type } = schema
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (type === 'boolean') return false
  return textOf(schema, name)
}

function allOfValue(parts: JsonSchema[], name: string): unknown {
  const values = parts.map((part) => valueOf(part, name))
  return values.every((value) => typeof value === 'object') ? Object.assign({}, ...values) : values[0]
}

const objectOf = ({ properties = {}, required = [] }: JsonSchema): object =>
  Object.fromEntries(required.map((name) => [name, valueOf(properties[name] ?? {}, name)]))

function textOf({ format, minLength = 0 }: JsonSchema, name: string): string {
  const known = format === undefined ? undefined : ofFormat[format]
  if (known !== undefined) return known
  if (/path/i.test(name)) return '/projects'
  return minLength > name.length ? name.padEnd(minLength, 'x') : name
}
