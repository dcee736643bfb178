import type { z } from 'zod'

/** Answer of a simulator: text or bytes, or an object that is sent as JSON. */
export type Answer = {
  status: number
  body?: string | Buffer | object | undefined
  headers?: Record<string, string | string[]>
}

/** Ends a request with an answer from within its work. */
export class Refused extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super(`Refused with status ${answer.status}`)
    this.answer = answer
  }
}

/** Error that ends a request with a status and a body. */
export const refused = (status: number, body: Answer['body']): Refused => new Refused({ status, body })

/** Ends a request by closing its connection, without an answer. */
export class ConnectionCut extends Error {}

export const answered = (body: object, status = 200): Answer => ({ status, body })

/** Parses JSON with a schema. Throws the error of `refusal`, which gets the name of the wrong field, or an empty one. */
export function parseJson<T>(text: string, schema: z.ZodType<T>, refusal: (field: string) => Error): T {
  const parsed = schema.safeParse(jsonIn(text))
  if (parsed.success) return parsed.data
  throw refusal(parsed.error.issues[0]?.path.join('.') ?? '')
}

/** Value of a text in JSON. Undefined if it isn't JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
