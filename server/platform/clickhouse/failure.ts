import { Problem } from '../problem.ts'

/** The engine's own names of what was too much. The client and the embedded engine's binding each have an error class. */
const tooSlow = ['TIMEOUT_EXCEEDED', 'TOO_SLOW']
const tooLarge = ['MEMORY_LIMIT_EXCEEDED', 'TOO_MANY_ROWS_OR_BYTES']
/** The name of the reason that a signal of `AbortSignal.timeout` gives. */
const waitedTooLong = 'TimeoutError'

/** What a caller is told of a question that was too much; every other failure stays what it is. */
export function explain(error: unknown): unknown {
  const type = error instanceof Error && 'type' in error ? String(error.type) : ''
  const isSlow = tooSlow.includes(type) || (error instanceof Error && error.name === waitedTooLong)
  if (isSlow) return problem('The query takes too long: narrow it down', 'tooSlow', error)
  if (tooLarge.includes(type)) return problem('The query needs more memory than is available', 'tooLarge', error)
  return error
}

const problem = (message: string, code: string, cause: unknown) => new Problem(503, message, { code, cause })
