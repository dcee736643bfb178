import type { ProblemAnswer, SubError } from '#events/contract/problem.ts'

type Details = {
  code?: string
  title?: string
  debugMessage?: string
  subErrors?: SubError[]
  cause?: unknown
  retryAfterSeconds?: number
}

/** The one kind of error that a caller is told about: an HTTP status, a sentence for people, a code for programs. */
export class Problem extends Error {
  override name = 'Problem'
  readonly status: number
  readonly code: string | undefined
  readonly title: string | undefined
  /** What another system answered, in its own words. */
  readonly debugMessage: string | undefined
  readonly subErrors: readonly SubError[]
  /** When it may be tried again, where that is known. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, message: string, details: Details = {}) {
    const { code, title, debugMessage, subErrors = [], cause, retryAfterSeconds } = details
    super(message, { cause })
    this.status = status
    this.code = code
    this.title = title
    this.debugMessage = debugMessage
    this.subErrors = subErrors
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Throws 404: there is no such thing, or not any more. */
export function notFound(what: string, id: string | number): never {
  throw new Problem(404, `There is no ${what} ${id}`)
}

/** Throws 409: what is there already stands against it. */
export function conflict(message: string, code?: string): never {
  throw new Problem(409, message, code ? { code } : {})
}

/** Throws 400 with one field named, as a failed validation does; forms show 'field message'. */
export function invalid(field: string, message: string): never {
  throw validationErrors([{ field, message }])
}

/** The answer to input that is wrong: 400 with every wrong field. */
export const validationErrors = (subErrors: SubError[]): Problem => new Problem(400, 'Validation errors', { subErrors })

/** What goes over the wire. */
export const problemAnswer = ({ message, code, title, debugMessage, subErrors }: Problem): ProblemAnswer => ({
  message,
  ...(title && { title }),
  ...(debugMessage && { debugMessage }),
  ...(code && { code }),
  ...(subErrors.length > 0 && { subErrors: [...subErrors] }),
})
