import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { Refused } from '../answers.ts'
import type { Behavior } from '../behavior.ts'

/** A request below `/rest/v1/`. Its query is ignored. */
export type Call = {
  method: string
  /** Decoded path, such as ['archive', 'indexes']. */
  segments: string[]
  /** Values of the variable segments of the path. */
  params: string[]
  /** A parameter, which is sent as a header. */
  parameter(name: string): string | undefined
  contentType: string
  body: string
}

/** Reads a request. Returns undefined for other paths. */
export function callOf(request: IncomingMessage, body: string, behavior: Behavior): Call | undefined {
  const [path = ''] = (request.url ?? '').split('?')
  const segments = decoded(path)
  if (segments?.[1] !== 'rest' || segments[2] !== 'v1') return undefined
  return {
    method: request.method ?? '',
    segments: behavior.hasGroups ? segments.slice(3) : withGroup(segments.slice(3)),
    params: [],
    parameter: (name) => parameterOf(request, name, behavior),
    contentType: request.headers['content-type'] ?? '',
    body,
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

function parameterOf({ headers }: IncomingMessage, name: string, { headerEncoding }: Behavior): string | undefined {
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
  if (!/^application\/json(;|$)/.test(contentType)) throw new Refused(400, 'Content-Type must be application/json')
  const parsed = schema.safeParse(jsonIn(body))
  if (!parsed.success) throw new Refused(400, `Invalid request body: ${parsed.error.issues[0]?.path.join('.')}`)
  return parsed.data
}

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
