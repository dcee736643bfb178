import type { z } from 'zod'
import { parseJson, refused } from '#agent/simulator/answers.ts'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'
import type { Behavior } from '../behavior.ts'

/** A request below `/rest/v1/`. Its query is ignored. */
export type Call = {
  method: string
  /** Path such as `archive/indexes`. */
  path: string
  /** Values of the variable segments of the path. */
  params: string[]
  /** A parameter, which is sent as a header. */
  parameter(name: string): string | undefined
  contentType: string
  body: string
}

/** Reads a request. Returns undefined for other paths. */
export function callOf(request: SimulatedRequest, behavior: Behavior): Call | undefined {
  const segments = request.path.split('/')
  if (segments[0] !== 'rest' || segments[1] !== 'v1') return undefined
  return {
    method: request.method,
    path: (behavior.hasGroups ? segments.slice(2) : withGroup(segments.slice(2))).join('/'),
    params: [],
    parameter: (name) => parameterOf(request, name, behavior),
    contentType: request.headers['content-type'] ?? '',
    body: request.body,
  }
}

/** A call of a server without the group `general`, under which its calls are known here. */
const withGroup = (segments: string[]): string[] =>
  ['archive', 'restore', 'license'].includes(segments[0] ?? '') ? segments : ['general', ...segments]

function decoded(path: string): string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
}

function parameterOf({ headers }: SimulatedRequest, name: string, { headerEncoding }: Behavior): string | undefined {
  const value = headers[name]
  if (typeof value !== 'string' || value === '') return undefined
  const text = utf8Of(value)
  if (headerEncoding === 'plain') return text
  return decoded(text)?.join('/') ?? text
}

/** Headers arrive as Latin-1. Bytes that are valid UTF-8 count as such. */
function utf8Of(value: string): string {
  const text = Buffer.from(value, 'latin1').toString('utf8')
  return text.includes('\ufffd') ? value : text
}

/** Body of a call. Throws the answer to another type or shape. */
export function jsonOf<T>({ contentType, body }: Call, schema: z.ZodType<T>): T {
  if (!/^application\/json(;|$)/.test(contentType)) throw refused(400, 'Content-Type must be application/json')
  return parseJson(body, schema, (field) => refused(400, `Invalid request body: ${field}`))
}
