import { type Answer, isHtml, textOf } from '../http/answer.ts'
import { UntrustedCertificate, untrustedReason } from '../http/checkedAgent.ts'
import { connectionFailure, withoutSecrets } from '../http/connectionFailure.ts'
import { measureJson, TooLong } from '#events/node/jsonMeter.ts'
import type { ServerFacts } from '../kit/server.ts'
import { messageOf, StoreBusy } from '../system.ts'
import { ActionFailed, SystemAway } from '../../actions/action.ts'
import { FileFailed } from '../../actions/sourceFile.ts'

/** A request that won't succeed until someone changes something. */
export class IconikFailed extends ActionFailed {}

/** A request that may succeed later. Iconik may have done its work. */
export class IconikAway extends SystemAway {}

/** Iconik refused a request and did nothing. */
export class Refusal extends IconikFailed {
  readonly status: number
  constructor(status: number, message: string, debugMessage: string) {
    super(message, debugMessage)
    this.status = status
  }
}

/** The token is not accepted: no request will succeed. */
export class TokenRejected extends IconikFailed {}

/** The storage refused an address, which may have expired. */
export class AddressExpired extends FileFailed {}
/** The asset of a file can't be completed: it has to be removed, and the file uploaded from scratch. */
export class UploadLost extends Error {}

/** Request details for messages about its failure. `call` is method and path. */
type RequestContext = Pick<ServerFacts, 'host' | 'hasAnswered' | 'secrets'> & { call: string }

/** The failure of a request without a usable answer, as a sentence for people. */
export function failureOf(error: unknown, { host, hasAnswered, secrets }: RequestContext): IconikFailed | IconikAway {
  if (error instanceof IconikFailed || error instanceof IconikAway) return error
  if (error instanceof TooLong) return new IconikFailed(`${host} sends more than fits into one answer`, error.message)
  if (error instanceof UntrustedCertificate) return new IconikFailed(untrustedReason(error, host), error.message)
  const isUnknownHost = (error as NodeJS.ErrnoException).code === 'ENOTFOUND'
  const failure = connectionFailure(error, { host, secrets, hasAnswered: hasAnswered || !isUnknownHost })
  const debugMessage = withoutSecrets(messageOf(error), secrets) || failure.message
  return failure instanceof StoreBusy
    ? new IconikAway(failure.message, debugMessage)
    : new IconikFailed(failure.message, debugMessage)
}

/** The failure that an answer stands for; undefined for a successful one. */
export function refusalIn(answer: Answer, context: RequestContext): IconikFailed | IconikAway | undefined {
  const { statusCode: status, headers, body } = answer
  const { host, call, hasAnswered, secrets } = context
  const isPage = isHtml(textOf({ ...answer, body: body.subarray(0, 1_000) }), headers)
  if (status < 300 && (hasAnswered || !isPage)) return undefined
  const text = withoutSecrets(errorText(answer), secrets)
  const detail = `status ${status}, ${text}`
  if (status === 401) return new TokenRejected(tokenHint(host), detail)
  if (status === 429) return new IconikAway(`Iconik at ${host} receives too many requests`, detail)
  if (status >= 500) return new IconikAway(`Iconik at ${host} failed: ${detail}`, detail)
  if (status >= 300 && status < 400)
    return new IconikFailed(
      `${host} redirects requests, which is not followed. Enter the URL that it redirects to`,
      detail,
    )
  if (!hasAnswered && isPage)
    return new IconikFailed(`${host} answers with a web page instead of Iconik's API. Check the URL of Iconik`, detail)
  if (status === 403)
    return new Refusal(status, `Iconik refused ${call}: ${text}. Give this right to the user of the token`, detail)
  return new Refusal(status, `Iconik refused ${call}: ${text}`, detail)
}

const tokenHint = (host: string) =>
  `Iconik at ${host} does not accept the App-ID with this Auth-Token. Create a token in Iconik under Admin > Settings > Application Tokens, and enter it in the configuration`

/** The text of an error, which is a list, has fields, or is not JSON. */
function errorText(answer: Answer): string {
  const text = textOf(answer).trim()
  if (text === '') return 'an empty answer'
  if (isHtml(text.slice(0, 1_000), answer.headers)) return 'a web page'
  const errors = errorsIn(text)
  if (Array.isArray(errors)) return errors.map(String).join('; ')
  if (typeof errors !== 'object' || errors === null) return String(errors ?? text)
  return Object.entries(errors)
    .map(([field, value]) =>
      field === 'message' ? String(value) : `${field}: ${[value].flat().map(String).join(', ')}`,
    )
    .join('; ')
}

function errorsIn(text: string): unknown {
  try {
    measureJson(Buffer.from(text))
    const { errors } = JSON.parse(text) as { errors?: unknown }
    return errors
  } catch {
    return undefined
  }
}
