import { counted } from '#events/counted.ts'
import type { z } from 'zod'
import type { SubError } from './problem.ts'
import { unknownField } from './unknownFields.ts'

export type ParsedInput<T> = { data: T; subErrors?: undefined } | { data?: undefined; subErrors: SubError[] }

/**
 * Reads input by its schema. Each invalid field gets one message that continues its name ('size must be a number'); the
 * server's answer and the browser's form use the same messages. `whole` is the name of the whole input.
 */
export function readInput<S extends z.ZodType>(schema: S, value: unknown, whole = 'body'): ParsedInput<z.output<S>> {
  const result = schema.safeParse(value, { error: wording })
  if (result.success) return { data: result.data }
  const named = result.error.issues.flatMap(({ path, message, ...issue }) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ field: [...path, key].join('.'), message: unknownField }))
      : [{ field: path.join('.') || whole, message }],
  )
  return { subErrors: named.filter(({ field }, i) => named.findIndex((other) => other.field === field) === i) }
}

const wording: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${kinds[issue.expected] ?? `a ${issue.expected}`}`
    case 'too_small':
      return size(issue.origin, 'at least', issue.minimum)
    case 'too_big':
      return size(issue.origin, 'at most', issue.maximum)
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'invalid_union':
      return 'has none of the known forms'
    default:
      return undefined
  }
}

const kinds: Record<string, string> = {
  string: 'text',
  int: 'a whole number',
  array: 'a list',
  object: 'an object',
  boolean: 'true or false',
}

function size(origin: string, bound: string, limit: number | bigint): string {
  if (origin === 'string') return limit === 1 ? 'must not be blank' : `must have ${bound} ${limit} characters`
  if (origin === 'array') return `must have ${bound} ${counted(Number(limit), 'item')}`
  return `must be ${bound} ${limit}`
}
