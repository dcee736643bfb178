import { isIP } from 'node:net'
import { withoutSecrets } from '../http/connectionFailure.ts'
import { busyStatus } from '../http/failureTable.ts'
import { Refusal } from '../http/refusal.ts'
import { failuresOf, redirects } from '../kit/failures.ts'
import type { ServerFacts } from '../kit/server.ts'
import { ScanFailed, StoreBusy } from '../system.ts'

/** Request details for messages about its failure. `isKnown`: the server was in use before, so that a failed connection may work later. */
type RequestContext = ServerFacts & { username: string; isKnown: boolean }

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

/** P5 answered with an error text of its own: it did not do the request, and may do so later. */
export class CallRefused extends P5Busy {}

/** P5 has nothing at a path. */
export class NotFound extends P5Failed {}
/** The answer exceeds the limit of an answer. */
export class TooLarge extends P5Failed {}
/** The login failed. Another try could lock the account. */
export class LoginRejected extends P5Failed {}

/** A success that P5 wouldn't send. */
export class NotP5 extends Refusal {}

/** P5's own text, or else the status. */
function debugMessageOf({ text, isHtml, statusCode }: Refusal, { secrets }: RequestContext): string {
  const detail = isHtml ? '' : withoutSecrets(text.replace(/^\s*\{\s*\}\s*$/, ''), secrets)
  return detail || `status ${statusCode}${isHtml ? ', a web page' : ''}`
}

/** A page for people, or something else that P5 would not send. */
const isForeign = (refusal: Refusal) => refusal instanceof NotP5 || (refusal.isHtml && refusal.statusCode !== 404)

const loginSentence = ({ host, username }: RequestContext) =>
  `Archiware P5 at ${host} does not accept the user ${username} with this password. Correct the credentials` +
  (isIP(host.replace(/^\[|\]$/g, '')) === 0
    ? ''
    : ', and if they are right, use the name of the host instead of its IP address')

const busySentence = (server: RequestContext, refusal: Refusal) =>
  `Archiware P5 at ${server.host} failed: ${debugMessageOf(refusal, server)}`

/** Returns the failure of a request, for users: `P5Busy` if it may succeed later, else `P5Failed`. */
export const failureOf = failuresOf<Refusal, RequestContext>({
  refusal: Refusal,
  refusals: [
    {
      status: /^40[013]$/,
      when: (refusal, server) => /wrong user.*password/i.test(debugMessageOf(refusal, server)),
      sentence: loginSentence,
      Failure: LoginRejected,
      field: 'credentials',
    },
    { status: /^401$/, sentence: loginSentence, Failure: LoginRejected, field: 'credentials' },
    {
      status: /^500$/,
      when: ({ text, isHtml }) => !isHtml && /\S/.test(text.replace(/^\s*\{\s*\}\s*$/, '')),
      sentence: busySentence,
      Failure: CallRefused,
    },
    { status: busyStatus, isBusy: true, sentence: busySentence },
    redirects,
    {
      status: /^400$/,
      when: (_, { isPlain, hasAnswered }) => isPlain && !hasAnswered,
      sentence: (server, refusal) =>
        `${server.host} refuses requests without TLS: ${debugMessageOf(refusal, server)}. If its port needs TLS, as 8443 does, begin the URL with https://`,
    },
    {
      when: (refusal, { hasAnswered }) => hasAnswered && isForeign(refusal),
      isBusy: true,
      sentence: ({ host }) => `${host} no longer answers as Archiware P5 does. It may be restarting`,
    },
    {
      when: ({ isHtml }, { hasAnswered }) => isHtml && !hasAnswered,
      sentence: ({ host }) =>
        `${host} answers with a web page instead of the REST API of Archiware P5. Check the port of the URL: usually 8000, or 8443 with https`,
    },
    {
      when: (refusal, { hasAnswered }) => refusal instanceof NotP5 || (refusal.statusCode === 404 && !hasAnswered),
      sentence: ({ host }) => `${host} does not answer as Archiware P5 does. Check the host and the port of the URL`,
      Failure: NotFound,
    },
    {
      status: /^403$/,
      sentence: ({ username, host }) =>
        `The user ${username} may not use the REST API of Archiware P5 at ${host}. Give the user access to P5's web interface`,
    },
    {
      status: /^404$/,
      sentence: (server, refusal) =>
        `Archiware P5 at ${server.host} does not know this: ${debugMessageOf(refusal, server)}`,
      Failure: NotFound,
    },
  ],
  other: (server, refusal) => `Archiware P5 at ${server.host} refused the request: ${debugMessageOf(refusal, server)}`,
  detailOf: debugMessageOf,
  Failed: P5Failed,
  Away: P5Busy,
  TooLarge,
  mayPass: (_, { isKnown }) => isKnown,
})
