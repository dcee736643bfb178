import { z } from 'zod'
import { ApiError } from '../answers.ts'
import type { Token } from '../contents/iconik.ts'

/** A request of the API. */
export type Call = {
  /** Path below the base path, with its slash at the end. */
  path: string
  /** Values of the variable segments of the path. */
  params: string[]
  query: URLSearchParams
  contentType: string
  body: string
  token: Token
}

/** Body of a call. Throws the answer to another type, an unknown field, or a missing or invalid one. */
export function bodyOf<T>({ contentType, body }: Call, schema: z.ZodType<T>): T {
  if (!/^application\/json(;|$)/.test(contentType)) throw new ApiError(400, 'Content-Type must be application/json')
  return parsed(jsonIn(body), schema)
}

/** Query of a call. Throws the answer to an unknown or invalid parameter. */
export const queryOf = <T>({ query }: Call, schema: z.ZodType<T>): T => parsed(Object.fromEntries(query), schema)

function parsed<T>(value: unknown, schema: z.ZodType<T>): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ApiError(400, Object.fromEntries(result.error.issues.flatMap(textsOf)))
}

function textsOf(issue: z.core.$ZodIssue): [string, string][] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => [name, 'Unknown field.'])
  const name = issue.path.join('.') || '_schema'
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined && issue.message.endsWith('undefined')
  return [[name, isMissing ? 'Missing data for required field.' : issue.message]]
}

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new ApiError(400, 'The body is not JSON')
  }
}

/** `true` or `false` in a query. */
export const Flag = z.enum(['true', 'false']).transform((text) => text === 'true')

export const Uuid = z.string().regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, 'Not a valid UUID.')
