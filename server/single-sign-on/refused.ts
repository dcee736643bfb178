import type { SingleSignOnProblem } from '#events/users/singleSignOn.ts'

/** A sign-in through the provider that came to nothing: what the sign-in screen says of it. */
export class Refused extends Error {
  override name = 'Refused'
  readonly problem: SingleSignOnProblem
  constructor(problem: SingleSignOnProblem, cause?: unknown) {
    super(problem, { cause })
    this.problem = problem
  }
}
