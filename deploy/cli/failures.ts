/** Exit codes of the command line. */
export const exitCodes = { done: 0, failed: 1, usage: 2, notAllowed: 3, notFound: 4, jobFailed: 5 } as const

/** An error for the user, with the exit code. The message says what happened, then what to do. */
export class Failure extends Error {
  readonly exitCode: number
  /** True if the same request may succeed soon: the server can't be reached or is busy. */
  readonly isTemporary: boolean
  constructor(message: string, exitCode: number = exitCodes.failed, isTemporary = false) {
    super(message)
    this.exitCode = exitCode
    this.isTemporary = isTemporary
  }
}

/** The command line was written wrongly. */
export class UsageError extends Failure {
  constructor(message: string) {
    super(message, exitCodes.usage)
  }
}

export const notFound = (message: string): Failure => new Failure(message, exitCodes.notFound)
