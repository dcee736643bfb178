import { type Answer, isHtml, textOf } from '../http/answer.ts'
import { UntrustedCertificate, untrustedReason } from '../http/checkedAgent.ts'
import { codeOf, connectionFailure, withoutSecrets } from '../http/connectionFailure.ts'
import { TooLong } from '#events/machine/jsonMeter.ts'
import { messageOf, StoreBusy } from '../system.ts'
import { ActionFailed, SystemAway } from '../../actions/action.ts'

/** Request details for messages about its failure. */
export type RequestContext = {
  host: string
  username: string
  /** Name of the call, such as `file/fsstore`. */
  call: string
  isPlain: boolean
  /** True if the server has answered as StorNext does before. */
  hasAnswered: boolean
  secrets: readonly string[]
}

/** A request that won't succeed until someone changes something. The server did nothing. */
export class StorNextFailed extends ActionFailed {}

/** A request that may succeed later. The server may have done its work. */
export class StorNextAway extends SystemAway {}

/** The request certainly did not reach the server. */
export class NeverSent extends StorNextAway {}
/** Something in front of Storage Manager answered instead: nothing, a page or a text. */
export class NoResponse extends StorNextAway {}
/** The sign-in failed. Another try could lock the account. */
export class LoginRejected extends StorNextFailed {}
/** The server has no such call, or is not StorNext. */
export class UnknownCall extends StorNextFailed {}
/** The request has more files than the server accepts. */
export class TooManyFiles extends StorNextFailed {}

/** An answer that is no response of a command. */
export class Refusal extends Error {
  readonly answer: Answer
  constructor(answer: Answer) {
    super()
    this.answer = answer
  }
}

type Failure = StorNextFailed | StorNextAway

/** The failure of a request, as a sentence for people. */
export function failureOf(error: unknown, request: RequestContext): Failure {
  if (error instanceof StorNextFailed || error instanceof StorNextAway) return error
  if (error instanceof Refusal) return refusalOf(error, request)
  const { host, secrets, isPlain } = request
  if (error instanceof TooLong) return new StorNextFailed(`${host} sends more than fits into one answer`, error.message)
  if (error instanceof UntrustedCertificate)
    return new StorNextFailed(
      untrustedReason(error, host),
      `${error.code || 'Another certificate'}: ${error.fingerprint}`,
    )
  const code = codeOf(error)
  const isOtherProtocol = /^(EPROTO$|ERR_SSL|HPE_)/.test(code) && !request.hasAnswered
  const hasAnswered = request.hasAnswered || !(isOtherProtocol || code === 'ENOTFOUND')
  const failure = connectionFailure(error, { host, secrets, hasAnswered, isTypedPlain: isPlain })
  const debugMessage = withoutSecrets(messageOf(error), secrets) || failure.message
  if (isOtherProtocol) return new UnknownCall(failure.message, debugMessage)
  if (!(failure instanceof StoreBusy)) return new StorNextFailed(failure.message, debugMessage)
  const isUnreached = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(code)
  return new (isUnreached ? NeverSent : StorNextAway)(failure.message, debugMessage)
}

function refusalOf({ answer }: Refusal, request: RequestContext): Failure {
  const { statusCode, headers } = answer
  const text = textOf(answer)
  const isPage = isHtml(text.slice(0, 1_000), headers)
  const isEmpty = text.trim() === ''
  const isJson = /^\s*[[{]/.test(text)
  const ownText = isPage ? 'a web page' : isEmpty ? 'an empty answer' : withoutSecrets(text, request.secrets)
  const detail = `status ${statusCode}, ${ownText}`
  const row = refusals.find(
    ({ status, isOf }) => status.test(`${statusCode}`) && (isOf?.(request, { isPage, isEmpty, isJson }) ?? true),
  )
  return row ? new row.Failure(row.reason(request, detail), detail) : new StorNextFailed(other(request, detail), detail)
}

const other = ({ host, call }: RequestContext, detail: string) => `StorNext at ${host} refused ${call}: ${detail}`

type Row = {
  status: RegExp
  isOf?: (request: RequestContext, body: { isPage: boolean; isEmpty: boolean; isJson: boolean }) => boolean
  Failure: typeof StorNextFailed | typeof StorNextAway
  reason: (request: RequestContext, detail: string) => string
}

const userOf = ({ username }: RequestContext) => (username === '' ? 'a request without a user' : `the user ${username}`)

/** Answers that are no response of a command. The first row that fits counts. */
const refusals: Row[] = [
  {
    status: /^401$/,
    Failure: LoginRejected,
    reason: (request) =>
      request.username === ''
        ? `StorNext at ${request.host} requires a user. Enter one of Tools > User Accounts in its credentials`
        : `StorNext at ${request.host} does not accept the user ${request.username} with this password. Correct the credentials`,
  },
  {
    status: /^403$/,
    Failure: StorNextFailed,
    reason: (request) =>
      `StorNext at ${request.host} does not let ${userOf(request)} call ${request.call}. Give the user this right`,
  },
  {
    status: /^41[34]$/,
    Failure: TooManyFiles,
    reason: ({ host }) => `StorNext at ${host} does not accept a name of this length`,
  },
  {
    status: /^429$/,
    Failure: NeverSent,
    reason: ({ host }) => `StorNext at ${host} receives too many requests`,
  },
  { status: /^5/, Failure: StorNextAway, reason: ({ host }, detail) => `StorNext at ${host} failed: ${detail}` },
  {
    status: /^3/,
    Failure: UnknownCall,
    reason: ({ host }) => `${host} redirects requests, which is not followed. Enter the URL that it redirects to`,
  },
  {
    status: /^(200|404|405)$/,
    isOf: ({ hasAnswered }, { isPage, isEmpty }) => !hasAnswered && !isEmpty && isPage,
    Failure: UnknownCall,
    reason: ({ host }) =>
      `${host} answers with a web page instead of StorNext's web services. Enable them in StorNext (Service > Web Services), and check the host`,
  },
  {
    status: /^200$/,
    isOf: (_, { isJson }) => isJson,
    Failure: StorNextAway,
    reason: ({ host }) => `StorNext at ${host} sent an incomplete answer`,
  },
  {
    status: /^200$/,
    Failure: NoResponse,
    reason: ({ host }) =>
      `The web services of StorNext at ${host} answer, but Storage Manager behind them does not. It may be starting`,
  },
  {
    status: /^404$/,
    isOf: ({ hasAnswered }) => !hasAnswered,
    Failure: UnknownCall,
    reason: ({ host }) =>
      `${host} has no web services V2 of StorNext. Enable them in StorNext (Service > Web Services), and check the host`,
  },
  {
    status: /^404$/,
    Failure: UnknownCall,
    reason: ({ host, call }) => `StorNext at ${host} does not have the call ${call}`,
  },
]
