import { Problem } from '#server/platform/problem.ts'

/** Reason of a failed delivery, for users. `permanent` failures would be the same on a retry. */
export class NotSent extends Problem {
  override name = 'NotSent'
  readonly permanent: boolean

  constructor(reason: string, { permanent = false, cause }: { permanent?: boolean; cause?: unknown } = {}) {
    super(409, reason, { cause })
    this.permanent = permanent
  }
}
