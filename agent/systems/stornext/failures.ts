import { withoutSecrets } from '../http/connectionFailure.ts'
import { Refusal } from '../http/refusal.ts'
import { failuresOf, redirects } from '../kit/failures.ts'
import type { ServerFacts } from '../kit/server.ts'
import { ActionFailed, SystemAway } from '../../actions/action.ts'

/** Request details for messages about its failure: the user, and the name of the call, such as `file/fsstore`. */
type RequestContext = ServerFacts & { username: string; call: string }

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

/** Status and text of an answer that is no response of a command. */
function detailOf({ text, isHtml, statusCode }: Refusal, { secrets }: RequestContext): string {
  const ownText = isHtml ? 'a web page' : text.trim() === '' ? 'an empty answer' : withoutSecrets(text, secrets)
  return `status ${statusCode}, ${ownText}`
}

const userOf = ({ username }: RequestContext) => (username === '' ? 'a request without a user' : `the user ${username}`)

const isOtherProtocol = (code: string): boolean => /^(EPROTO$|ERR_SSL|HPE_)/.test(code)
const isUnreached = (code: string): boolean =>
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(code)
/** Failures of a first connection that come from the configuration. */
const isLasting = (code: string): boolean => isOtherProtocol(code) || code === 'ENOTFOUND'

/** The failure of a request, for users: `StorNextAway` if it may succeed later, else `StorNextFailed`. */
export const failureOf = failuresOf<Refusal, RequestContext>({
  refusal: Refusal,
  refusals: [
    {
      status: /^401$/,
      Failure: LoginRejected,
      sentence: (request) =>
        request.username === ''
          ? `StorNext at ${request.host} requires a user. Enter one of Tools > User Accounts in its credentials`
          : `StorNext at ${request.host} does not accept the user ${request.username} with this password. Correct the credentials`,
    },
    {
      status: /^403$/,
      Failure: StorNextFailed,
      sentence: (request) =>
        `StorNext at ${request.host} does not let ${userOf(request)} call ${request.call}. Give the user this right`,
    },
    {
      status: /^41[34]$/,
      Failure: TooManyFiles,
      sentence: ({ host }) => `StorNext at ${host} does not accept a name of this length`,
    },
    {
      status: /^429$/,
      Failure: NeverSent,
      sentence: ({ host }) => `StorNext at ${host} receives too many requests`,
    },
    {
      status: /^5/,
      Failure: StorNextAway,
      sentence: (request, refusal) => `StorNext at ${request.host} failed: ${detailOf(refusal, request)}`,
    },
    { ...redirects, Failure: UnknownCall },
    {
      status: /^(200|404|405)$/,
      when: ({ isHtml }, { hasAnswered }) => isHtml && !hasAnswered,
      Failure: UnknownCall,
      sentence: ({ host }) =>
        `${host} answers with a web page instead of StorNext's web services. Enable them in StorNext (Service > Web Services), and check the host`,
    },
    {
      status: /^200$/,
      when: ({ text }) => /^\s*[[{]/.test(text),
      Failure: StorNextAway,
      sentence: ({ host }) => `StorNext at ${host} sent an incomplete answer`,
    },
    {
      status: /^200$/,
      Failure: NoResponse,
      sentence: ({ host }) =>
        `The web services of StorNext at ${host} answer, but Storage Manager behind them does not. It may be starting`,
    },
    {
      status: /^404$/,
      when: (_, { hasAnswered }) => !hasAnswered,
      Failure: UnknownCall,
      sentence: ({ host }) =>
        `${host} has no web services V2 of StorNext. Enable them in StorNext (Service > Web Services), and check the host`,
    },
    {
      status: /^404$/,
      Failure: UnknownCall,
      sentence: ({ host, call }) => `StorNext at ${host} does not have the call ${call}`,
    },
  ],
  other: (request, refusal) => `StorNext at ${request.host} refused ${request.call}: ${detailOf(refusal, request)}`,
  detailOf,
  Failed: StorNextFailed,
  Away: StorNextAway,
  mayPass: (code) => !isLasting(code),
  ofCode(code, { hasAnswered }) {
    if (isLasting(code) && !hasAnswered) return isOtherProtocol(code) ? UnknownCall : undefined
    return isUnreached(code) ? NeverSent : undefined
  },
})
