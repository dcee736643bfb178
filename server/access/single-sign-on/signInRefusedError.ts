import type { SingleSignOnProblem } from '#events/users/singleSignOn.ts'

/** A failed sign-in through the provider; the message is for the sign-in screen. */
export class SignInRefusedError extends Error {
  override name = 'SignInRefusedError'
  readonly problem: SingleSignOnProblem
  constructor(problem: SingleSignOnProblem, cause?: unknown) {
    super(problem, { cause })
    this.problem = problem
  }
}
