import { Problem } from '#server/platform/problem.ts'

type Kind = {
  /** A retry would fail in the same way. */
  permanent?: boolean
  /** The receiver doesn't accept messages of this size. */
  isTooLarge?: boolean
  /** Milliseconds that the receiver wants to wait for the next attempt. */
  retryAfterMs?: number | undefined
  cause?: unknown
}

/** Reason of a failed delivery, for users. */
export class NotSent extends Problem {
  override name = 'NotSent'
  readonly permanent: boolean
  readonly isTooLarge: boolean
  readonly retryAfterMs: number | undefined

  constructor(reason: string, { permanent = false, isTooLarge = false, retryAfterMs, cause }: Kind = {}) {
    super(409, reason, { cause })
    this.permanent = permanent
    this.isTooLarge = isTooLarge
    this.retryAfterMs = retryAfterMs
  }
}
