import { counted } from '#events/contract/counted.ts'
import type { z } from 'zod'
import { fieldOf, maxSubErrors, type SubError } from './problem.ts'
import { readOutside } from './readOutside.ts'
import { unknownField } from './unknownFields.ts'

export type ParsedInput<T> = { data: T; subErrors?: undefined } | { data?: undefined; subErrors: SubError[] }

/** Values of an input from which only its first fault is reported: each fault of a longer one would take memory and time. */
const largeFrom = 20_000

/**
 * Reads input by its schema. Each invalid field gets one message that continues its name ('size must be a number'); the
 * server's answer and the browser's form use the same messages. `whole` is the name of the whole input.
 */
export function readInput<S extends z.ZodType>(schema: S, value: unknown, whole = 'body'): ParsedInput<z.output<S>> {
  const result = readOutside(schema, value, { error: wording, all: !isLarge(value) })
  if (result.success) return { data: result.data }
  const messages = new Map<string, string>()
  const add = (path: PropertyKey[], message: string) => {
    const field = fieldOf(path) || whole
    if (messages.size < maxSubErrors && !messages.has(field)) messages.set(field, message)
  }
  for (const { path, message, ...issue } of result.error.issues)
    if (issue.code !== 'unrecognized_keys') add(path, message)
    else for (const key of issue.keys.slice(0, maxSubErrors)) add([...path, key], unknownField)
  return { subErrors: [...messages].map(([field, message]) => ({ field, message })) }
}

function isLarge(value: unknown): boolean {
  const open = [value]
  let count = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    count += Array.isArray(next) ? next.length : Object.keys(next).length
    if (count >= largeFrom) return true
    for (const each of Object.values(next) as unknown[]) if (typeof each === 'object') open.push(each)
  }
  return false
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
