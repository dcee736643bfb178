import { ActionFailed, SystemAway } from '../../actions/action.ts'

/** A request that won't succeed until someone changes something. */
export class TransferFailed extends ActionFailed {}

/** A request that may succeed later. The service may have done its work. */
export class TransferAway extends SystemAway {
  retryAfterMs: number | undefined
  constructor(message: string, debugMessage: string, retryAfterMs?: number) {
    super(message, debugMessage)
    this.retryAfterMs = retryAfterMs
  }
}

/** The service refused the content of a request. `text` is all that it says. */
export class Refused extends TransferFailed {
  text: string
  constructor(message: string, debugMessage: string, text: string) {
    super(message, debugMessage)
    this.text = text
  }
}
/** The service has no such thing. */
export class NotFound extends TransferFailed {}
/** The service did not accept the client. Another try could lock it. */
export class LoginRejected extends TransferFailed {}
/** The service certainly did nothing: it has too many requests, or wants another token. */
export class NotSent extends TransferAway {}
/** The token is no longer valid. */
export class TokenEnded extends NotSent {}
