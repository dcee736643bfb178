import { Problem } from '../problem.ts'

/**
 * Error names of the engine for exceeded limits. The client and the binding of the embedded engine each have an error
 * class.
 */
const tooSlow = ['TIMEOUT_EXCEEDED', 'TOO_SLOW']
const tooLarge = ['MEMORY_LIMIT_EXCEEDED', 'TOO_MANY_ROWS_OR_BYTES']
/** Name of the reason of an `AbortSignal.timeout`. */
const waitedTooLong = 'TimeoutError'

/** Converts exceeded limits to a Problem for the caller; returns every other error unchanged. */
export function explain(error: unknown): unknown {
  const type = error instanceof Error && 'type' in error ? String(error.type) : ''
  const isSlow = tooSlow.includes(type) || (error instanceof Error && error.name === waitedTooLong)
  if (isSlow) return problem('The query takes too long: narrow it down', 'tooSlow', error)
  if (tooLarge.includes(type)) return problem('The query needs more memory than is available', 'tooLarge', error)
  return error
}

const problem = (message: string, code: string, cause: unknown) => new Problem(503, message, { code, cause })
