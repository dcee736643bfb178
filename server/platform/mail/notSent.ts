import { Problem } from '#server/platform/problem.ts'

/** Why something was not sent, in words for users. What is `permanent` will not be otherwise when it is tried again. */
export class NotSent extends Problem {
  override name = 'NotSent'
  readonly permanent: boolean

  constructor(reason: string, { permanent = false, cause }: { permanent?: boolean; cause?: unknown } = {}) {
    super(409, reason, { cause })
    this.permanent = permanent
  }
}
