import type { Answer } from '../../http/answer.ts'
import { codeOf, connectionFailure, withoutSecrets } from '../../http/connectionFailure.ts'
import { failureFrom, type FailureTable, isOne } from '../../http/failureTable.ts'
import { Refusal } from '../../http/refusal.ts'
import { TooLong } from '#events/node/jsonMeter.ts'
import { redirects } from '../../kit/failures.ts'
import { isPage, isSuccess, jsonIn, type ServerFacts } from '../../kit/server.ts'
import { messageOf, StoreBusy } from '../../system.ts'
import { LoginRejected, NotFound, NotSent, Refused, TokenEnded, TransferAway, TransferFailed } from '../failures.ts'
import { errorsIn } from './unconfirmed.ts'

/** Request details for messages about its failure. `task` is the request in words that follow 'to', such as 'list the storages'. */
type RequestContext = ServerFacts & { clientId: string; task: string; isSignIn: boolean }

/** An answer that is not a success, or one with errors. Its text is that of the errors, if it has any. */
export class ServiceRefusal extends Refusal {
  /** The answer has errors in the service's own form. */
  hasErrors = false
  constructor(answer: Answer) {
    super(answer)
    const errors = errorsInText(this.text)
    if (!errors) return
    this.hasErrors = true
    this.text = errors.text
    // The status of the first error; 0 if it has none.
    if (answer.statusCode < 400) this.statusCode = errors.status
  }
}

/** A success that the service would not send. */
export class ForeignRefusal extends ServiceRefusal {}

/** The answer as JSON. Throws `ServiceRefusal` for one that is no success, and `TooLong`. */
export async function jsonOf(answer: Answer): Promise<unknown> {
  if (!isSuccess(answer)) throw new ServiceRefusal(answer)
  const content = isPage(answer) ? undefined : await jsonIn(answer)
  if (content === undefined) throw new ForeignRefusal(answer)
  if (errorsIn(content)) throw new ServiceRefusal(answer)
  return content
}

function errorsInText(text: string) {
  try {
    return errorsIn(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The failure of a request, in words for people: `TransferAway` if it may succeed later, else `TransferFailed`. */
export const failureOf = (error: unknown, request: RequestContext): Error => failureFrom(table, error, request)

const serviceAt = ({ host }: RequestContext) => `The transfer service at ${host}`

/** The service's own text, or else the status. */
function detailOf({ text, isHtml, statusCode }: Refusal, { secrets }: RequestContext): string {
  const ownText = isHtml ? '' : withoutSecrets(text, secrets).trim()
  return ownText || `status ${statusCode}${isHtml ? ', a web page' : ''}`
}

const as =
  (Failure: new (message: string, debugMessage: string, retryAfterMs?: number) => Error) =>
  (sentence: string, refusal: Refusal, request: RequestContext): Error =>
    new Failure(sentence, detailOf(refusal, request), refusal.retryAfterMs)

/** The answer is not the service's own: it may be that of a gateway while the service restarts. */
const isForeign = (refusal: ServiceRefusal) =>
  refusal instanceof ForeignRefusal || refusal.isHtml || (refusal.statusCode === 404 && !refusal.hasErrors)

const table: FailureTable<ServiceRefusal, RequestContext> = {
  refusal: ServiceRefusal,
  refusals: [
    {
      status: /^429$/,
      sentence: (request) => `${serviceAt(request)} receives too many requests`,
      failure: as(NotSent),
    },
    {
      status: /^(0|408|5(?!01)\d\d)$/,
      isBusy: true,
      sentence: (request, refusal) => `${serviceAt(request)} failed to ${request.task}: ${detailOf(refusal, request)}`,
    },
    redirects,
    {
      when: (refusal, { hasAnswered }) => hasAnswered && isForeign(refusal),
      isBusy: true,
      sentence: ({ host, task }) => `${host} did not answer the request to ${task} as a transfer service does`,
    },
    {
      when: (refusal, { hasAnswered }) => !hasAnswered && (isForeign(refusal) || refusal.statusCode === 404),
      sentence: ({ host }) => `${host} does not answer as a transfer service. Check the URL in the settings`,
    },
    {
      status: /^4/,
      when: (_, { isSignIn }) => isSignIn,
      sentence: (request) =>
        `${serviceAt(request)} does not accept the client ID ${request.clientId} with this secret. Correct them in the settings`,
      failure: as(LoginRejected),
    },
    {
      status: /^401$/,
      sentence: (request) =>
        `${serviceAt(request)} ended the sign-in. Another program may use the client ID ${request.clientId}`,
      failure: as(TokenEnded),
    },
    {
      status: /^403$/,
      sentence: (request, refusal) =>
        `${serviceAt(request)} does not let the client ${request.clientId} ${request.task}: ${detailOf(refusal, request)}. Give it this right`,
      failure: as(TransferFailed),
    },
    {
      status: /^(404|405|410|501)$/,
      sentence: (request, refusal) => `${serviceAt(request)} can't ${request.task}: ${detailOf(refusal, request)}`,
      failure: as(NotFound),
    },
  ],
  other: (request, refusal) => `${serviceAt(request)} refused to ${request.task}: ${detailOf(refusal, request)}`,
  failed(sentence, refusal, request) {
    const isOfContent = refusal.statusCode >= 400 && refusal.statusCode < 500
    const detail = detailOf(refusal, request)
    return isOfContent ? new Refused(sentence, detail, refusal.text) : new TransferFailed(sentence, detail)
  },
  busy: as(TransferAway),
  errors: [
    {
      when: isOne(TooLong),
      sentence: ({ host }) => `${host} sends more than fits into one answer`,
      failure: (sentence, error) => new TransferFailed(sentence, messageOf(error)),
    },
  ],
  connection(error, request) {
    const { host, secrets, isPlain, hasAnswered } = request
    // An unknown name, or another protocol, is a wrong URL; anything else may pass.
    const isWrongUrl = /^(ENOTFOUND|EPROTO$|ERR_SSL|HPE_)/.test(codeOf(error))
    const context = { host, secrets, hasAnswered: hasAnswered || !isWrongUrl, isTypedPlain: isPlain }
    const failure = connectionFailure(error, context)
    const Failure = failure instanceof StoreBusy ? TransferAway : TransferFailed
    return new Failure(failure.message, withoutSecrets(messageOf(error), secrets) || failure.message)
  },
}
