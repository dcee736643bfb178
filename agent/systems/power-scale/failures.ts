import { z } from 'zod'
import { type Answer, isHtml, retryAfterMs, textOf } from '../http/answer.ts'
import { UntrustedCertificate, untrustedReason } from '../http/checkedAgent.ts'
import { connectionFailure, withoutSecrets } from '../http/connectionFailure.ts'
import { TooLong, NoAnswer } from '../http/transport.ts'
import { ScanFailed, StoreBusy } from '../system.ts'

/** Request details for messages about its failure. */
export type RequestContext = {
  /** Host and port. */
  host: string
  username: string
  /** Purpose behind 'to', such as 'create a snapshot'. */
  purpose: string
  /** Privilege of OneFS that the request needs, as far as known. */
  privilege: string
  /** Call of the API, such as 'POST /platform/1/snapshot/snapshots'. */
  call: string
  /** True if the service has answered a request before. */
  hasAnswered: boolean
  secrets: readonly string[]
}

/** A refusal of the cluster that another request would not change. `code` is such as AEC_NOT_FOUND, or ''. */
export class Refused extends ScanFailed {
  status: number
  code: string
  detail: string
  constructor(sentence: string, { status, code, detail }: FailureText) {
    super(sentence)
    this.status = status
    this.code = code
    this.detail = detail
  }
}

/** The user can't sign in. No other request of the scan may try it again, because accounts lock. */
export class SignInRefused extends ScanFailed {}

const ErrorBody = z.object({
  errors: z.array(z.object({ code: z.string().nullish(), message: z.string().nullish() })).min(1),
})

/** The failure in an answer, or undefined for a success. A success of OneFS may hold errors too. */
export function failureIn(answer: Answer, value: unknown, context: RequestContext): Error | undefined {
  const { statusCode: status } = answer
  const isPage = isHtml(textOf({ ...answer, body: answer.body.subarray(0, 1_000) }), answer.headers)
  if (isPage) return ofPage(status, context)
  const error = ErrorBody.safeParse(value).data?.errors[0]
  if (!error && status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400)
    return new ScanFailed(
      `${context.host} redirects requests, which is not followed. Enter the address of the cluster itself.`,
    )
  const detail = withoutSecrets(error?.message ?? '', context.secrets)
  return refusal({ status, code: error?.code ?? '', detail }, answer, context)
}

type FailureText = { status: number; code: string; detail: string }

function refusal(text: FailureText, { headers }: Answer, context: RequestContext): Error {
  const { status, code, detail } = text
  const isBusy = code === 'AEC_TRANSIENT' || status === 408 || status === 429 || status >= 500
  if (!isBusy) return new Refused(sentenceOf(text, context), text)
  const sentence = `${context.host} is too busy to ${context.purpose}: ${detail || `status ${status}`}`
  return new StoreBusy(sentence, retryAfterMs(headers['retry-after']))
}

/** Administrators can switch off either service; then a page for people is the answer. */
function ofPage(status: number, { host, call, hasAnswered }: RequestContext): Error {
  const service = / \/namespace\b/.test(call) ? 'RAN' : 'Platform-API-External'
  const sentence = `${host} answers with a web page: the service is switched off. Enable the HTTP service "${service}" on the cluster.`
  return hasAnswered && status >= 500 ? new StoreBusy(sentence) : new ScanFailed(sentence)
}

/** Codes of OneFS, or statuses where an answer has no code: what happened, then what to do. */
const reasons: Readonly<Record<string, (context: RequestContext) => string>> = {
  AEC_INVALID_LICENSE: () => 'The SnapshotIQ license is missing or has expired. Activate SnapshotIQ on the cluster.',
  AEC_FORBIDDEN: forbidden,
  403: forbidden,
  AEC_LIMIT_EXCEEDED: ({ host, purpose }) =>
    `${host} has reached a limit and can't ${purpose}. Delete snapshots that are not needed, or raise the limit.`,
  AEC_NAMETOO_LONG: ({ host, purpose }) => `${host} can't ${purpose}: a name is too long.`,
  AEC_NOT_FOUND: notFound,
  404: notFound,
  AEC_CONFLICT: ({ host, purpose }) =>
    `${host} can't ${purpose} now: another operation is in its way. Try again later.`,
  AEC_METHOD_NOT_ALLOWED: tooOld,
  405: tooOld,
}

function forbidden({ username, purpose, privilege, call }: RequestContext): string {
  const role = privilege === '' ? 'Check the role of the user.' : `The role of the user needs ${privilege}.`
  return `The user ${username} is not allowed to ${purpose} (${call}). ${role}`
}

function notFound({ host, purpose }: RequestContext): string {
  return `${host} can't ${purpose}: it does not exist.`
}

function tooOld({ host, purpose }: RequestContext): string {
  return `${host} can't ${purpose}: this release of OneFS is not supported.`
}

function sentenceOf({ status, code, detail }: FailureText, context: RequestContext): string {
  const reason = reasons[code] ?? reasons[String(status)]
  const sentence =
    reason?.(context) ?? `${context.host} refused to ${context.purpose} with ${code || `status ${status}`}.`
  return detail === '' ? sentence : `${sentence} OneFS says: ${detail}`
}

/** A failure without an answer. */
export function failureOf(error: unknown, context: RequestContext): Error {
  const { host } = context
  if (error instanceof UntrustedCertificate) return new ScanFailed(untrustedReason(error, host))
  if (error instanceof TooLong) return new ScanFailed(`${host} sends a response that is too long.`)
  if (error instanceof SyntaxError || error instanceof z.ZodError)
    return new ScanFailed(`${host} does not answer as OneFS does. Check the host and the port.`)
  if (error instanceof NoAnswer && context.hasAnswered) return new StoreBusy(`${host} does not answer in time`)
  return connectionFailure(error, context)
}

/** One sign-in is tried at most, so that the account is not locked. */
export const signInRefused = ({ host, username }: RequestContext): SignInRefused =>
  new SignInRefused(
    `${host} does not accept the user name or the password of ${username}. Check the credentials, and that the role of the user has ISI_PRIV_LOGIN_PAPI. Nothing was tried again, so that the account is not locked.`,
  )
