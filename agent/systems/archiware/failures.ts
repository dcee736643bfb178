import { isIP } from 'node:net'
import { type Answer, isHtml, retryAfterMs, textOf } from '../http/answer.ts'
import { UntrustedCertificate, untrustedReason } from '../http/checkedAgent.ts'
import { connectionFailure, withoutSecrets } from '../http/connectionFailure.ts'
import { TooLong } from '../http/transport.ts'
import { messageOf, ScanFailed, StoreBusy } from '../system.ts'

/** Request details for messages about its failure. */
export type RequestContext = {
  host: string
  username: string
  isPlain: boolean
  /** True if the server has answered as P5 does before. */
  hasAnswered: boolean
  /** True if the server was in use before: a connection that fails may work later. */
  isKnown: boolean
  secrets: readonly string[]
}

/** A request that won't succeed until someone changes something. `debugMessage` is P5's own text. */
export class P5Failed extends ScanFailed {
  debugMessage: string
  constructor(message: string, debugMessage: string) {
    super(message)
    this.debugMessage = debugMessage
  }
}

/** A request that may succeed later. */
export class P5Busy extends StoreBusy {
  debugMessage: string
  constructor(message: string, debugMessage: string, retryAfterMs?: number) {
    super(message, retryAfterMs)
    this.debugMessage = debugMessage
  }
}

/** P5 answered with an error text of its own: it did not do what was requested, and may do so later. */
export class CallRefused extends P5Busy {}

/** P5 has nothing at a path. */
export class NotFound extends P5Failed {}
/** The answer exceeds the limit of an answer. */
export class TooLarge extends P5Failed {}
/** The login failed. Another try could lock the account. */
export class LoginRejected extends P5Failed {}

/** An answer that is no success. */
export class Refusal extends Error {
  readonly answer: Answer
  constructor(answer: Answer) {
    super()
    this.answer = answer
  }
}

/** A success that P5 wouldn't send. */
export class NotP5 extends Refusal {}

/** The failure of a request, as a sentence for people. */
export function failureOf(error: unknown, server: RequestContext): P5Failed | P5Busy {
  if (error instanceof P5Failed || error instanceof P5Busy) return error
  if (error instanceof Refusal) return refusalOf(error, server)
  if (error instanceof TooLong)
    return new TooLarge(`${server.host} sends more than fits into one answer`, error.message)
  if (error instanceof UntrustedCertificate)
    return new P5Failed(
      untrustedReason(error, server.host),
      `${error.code || 'Another certificate'}: ${error.fingerprint}`,
    )
  const { isPlain, isKnown, hasAnswered } = server
  const context = { ...server, isTypedPlain: isPlain, hasAnswered: hasAnswered || isKnown }
  const failure = connectionFailure(error, context)
  const debugMessage = withoutSecrets(messageOf(error), server.secrets) || failure.message
  const Failure = failure instanceof StoreBusy ? P5Busy : P5Failed
  return new Failure(failure.message, debugMessage)
}

function refusalOf(refusal: Refusal, server: RequestContext): P5Failed | P5Busy {
  const { statusCode, headers } = refusal.answer
  const text = textOf(refusal.answer)
  const isPage = isHtml(text.slice(0, 1_000), headers)
  const detail = isPage ? '' : withoutSecrets(text.replace(/^\s*\{\s*\}\s*$/, ''), server.secrets)
  const debugMessage = detail || `status ${statusCode}${isPage ? ', a web page' : ''}`
  const found = refusals.find(
    ({ status, text, isOf }) =>
      (status?.test(`${statusCode}`) ?? true) &&
      (text?.test(detail) ?? true) &&
      (isOf?.(refusal, server, isPage) ?? true),
  )
  const message = found?.reason(server, debugMessage) ?? other(server, debugMessage)
  if (found?.isBusy) {
    const Busy = found.Busy ?? P5Busy
    return new Busy(message, debugMessage, retryAfterMs(headers['retry-after']))
  }
  const Failure = found?.Failure ?? P5Failed
  return new Failure(message, debugMessage)
}

const other = ({ host }: RequestContext, detail: string) => `Archiware P5 at ${host} refused the request: ${detail}`

const failed = ({ host }: RequestContext, detail: string) => `Archiware P5 at ${host} failed: ${detail}`

const loginRejected = ({ host, username }: RequestContext) =>
  `Archiware P5 at ${host} does not accept the user ${username} with this password. Correct the credentials` +
  (isIP(host.replace(/^\[|\]$/g, '')) === 0
    ? ''
    : ', and if they are right, use the name of the host instead of its IP address')

type Row = {
  status?: RegExp
  text?: RegExp
  isOf?: (refusal: Refusal, server: RequestContext, isPage: boolean) => boolean
  isBusy?: true
  Busy?: typeof P5Busy
  Failure?: typeof P5Failed
  reason: (server: RequestContext, detail: string) => string
}

/** Refusals by status, text and what is known of the server. The first that fits counts. */
const refusals: Row[] = [
  { status: /^40[013]$/, text: /wrong user.*password/i, Failure: LoginRejected, reason: loginRejected },
  { status: /^401$/, Failure: LoginRejected, reason: loginRejected },
  { status: /^500$/, text: /\S/, isBusy: true, Busy: CallRefused, reason: failed },
  { status: /^(429|5(?!01)\d\d)$/, isBusy: true, reason: failed },
  {
    status: /^3/,
    reason: ({ host }) => `${host} redirects requests, which is not followed. Enter the URL that it redirects to`,
  },
  {
    status: /^400$/,
    isOf: (_, { isPlain, hasAnswered }) => isPlain && !hasAnswered,
    reason: ({ host }, detail) =>
      `${host} refuses requests without TLS: ${detail}. If its port needs TLS, as 8443 does, begin the URL with https://`,
  },
  {
    isOf: (refusal, { hasAnswered }, isPage) =>
      hasAnswered && (refusal instanceof NotP5 || (isPage && refusal.answer.statusCode !== 404)),
    isBusy: true,
    reason: ({ host }) => `${host} no longer answers as Archiware P5 does. It may be restarting`,
  },
  {
    isOf: (_, { hasAnswered }, isPage) => isPage && !hasAnswered,
    reason: ({ host }) =>
      `${host} answers with a web page instead of the REST API of Archiware P5. Check the port of the URL: usually 8000, or 8443 with https`,
  },
  {
    isOf: (refusal, { hasAnswered }) => refusal instanceof NotP5 || (refusal.answer.statusCode === 404 && !hasAnswered),
    Failure: NotFound,
    reason: ({ host }) => `${host} does not answer as Archiware P5 does. Check the host and the port of the URL`,
  },
  {
    status: /^403$/,
    reason: ({ username, host }) =>
      `The user ${username} may not use the REST API of Archiware P5 at ${host}. Give the user access to P5's web interface`,
  },
  {
    status: /^404$/,
    Failure: NotFound,
    reason: ({ host }, detail) => `Archiware P5 at ${host} does not know this: ${detail}`,
  },
]
