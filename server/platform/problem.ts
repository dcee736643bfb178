import type { ProblemAnswer, SubError } from '#events/contract/problem.ts'

type Details = {
  code?: string
  title?: string
  debugMessage?: string
  subErrors?: SubError[]
  cause?: unknown
  retryAfterSeconds?: number
}

/** An error shown to callers: an HTTP status, a message for users, a code for programs. */
export class Problem extends Error {
  override name = 'Problem'
  readonly status: number
  readonly code: string | undefined
  readonly title: string | undefined
  /** The original error message of another system. */
  readonly debugMessage: string | undefined
  readonly subErrors: readonly SubError[]
  /** Seconds until a retry makes sense, if known. */
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

/** Throws 404 for something that doesn't exist, or no longer. */
export function notFound(what: string, id: string | number): never {
  throw new Problem(404, `There is no ${what} ${id}`)
}

/** Throws 409 for a conflict with existing data. */
export function conflict(message: string, code?: string): never {
  throw new Problem(409, message, code ? { code } : {})
}

/** Throws 400 for one field, like a failed validation; forms show 'field message'. */
export function invalid(field: string, message: string): never {
  throw validationErrors([{ field, message }])
}

/** The response to invalid input: 400 with every invalid field. */
export const validationErrors = (subErrors: SubError[]): Problem => new Problem(400, 'Validation errors', { subErrors })

/** The body of a response. */
export const problemAnswer = ({ message, code, title, debugMessage, subErrors }: Problem): ProblemAnswer => ({
  message,
  ...(title && { title }),
  ...(debugMessage && { debugMessage }),
  ...(code && { code }),
  ...(subErrors.length > 0 && { subErrors: [...subErrors] }),
})

/** The text of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
