import { z } from 'zod'
import { readOutside } from '#events/contract/readOutside.ts'
import type { Answer } from '../http/answer.ts'
import { UntrustedCertificate, untrustedReason } from '../http/checkedAgent.ts'
import { connectionFailure, withoutSecrets } from '../http/connectionFailure.ts'
import { failureFrom, type FailureTable, isOne } from '../http/failureTable.ts'
import { Refusal } from '../http/refusal.ts'
import { TooLong } from '#events/node/jsonMeter.ts'
import { NoAnswer } from '../http/transport.ts'
import { isPage, isSuccess, type ServerFacts } from '../kit/server.ts'
import { atField, ScanFailed, StoreBusy } from '../system.ts'

/** Request details for messages about its failure. */
export type RequestFacts = {
  /** Host and port. */
  host: string
  username: string
  /** Purpose behind 'to', such as 'create a snapshot'. */
  purpose: string
  /** Privilege of OneFS that the request needs, as far as known. */
  privilege: string
  /** Call of the API, such as 'POST /platform/1/snapshot/snapshots'. */
  call: string
}
export type RequestContext = RequestFacts & Omit<ServerFacts, 'isPlain'>

/** A refusal of the cluster that another request would not change; `refusal` is such as AEC_NOT_FOUND. */
export class Refused extends ScanFailed {
  status: number
  detail: string
  constructor(sentence: string, { statusCode }: Refusal, detail: string) {
    super(sentence)
    this.status = statusCode
    this.detail = detail
  }
}

/** The user can't sign in. No other request of the scan may try it again, because accounts lock. */
export class SignInRefused extends ScanFailed {}

const ErrorBody = z.object({
  errors: z
    .array(z.object({ code: z.string().nullish(), message: z.string().nullish() }))
    .min(1)
    .max(1_000),
})

/** An answer with an error of OneFS, a page for people, or a status that is not a success. */
class OneFsRefusal extends Refusal {
  constructor(answer: Answer, error: Partial<z.infer<typeof ErrorBody>['errors'][number]> = {}) {
    super(answer)
    this.code = error.code ?? ''
    this.message = error.message ?? ''
  }
}

/** The failure in an answer, or undefined for a success. A success of OneFS may hold errors too. */
export function failureIn(answer: Answer, value: unknown, context: RequestContext): Error | undefined {
  const error = readOutside(ErrorBody, value).data?.errors[0]
  if (!error && !isPage(answer) && isSuccess(answer)) return undefined
  return failureOf(new OneFsRefusal(answer, error), context)
}

/** The failure of a request, for users: `StoreBusy` if it may succeed later, else `ScanFailed`. */
export const failureOf = (error: unknown, context: RequestContext): Error => failureFrom(table, error, context)

const detailOf = ({ message }: OneFsRefusal, { secrets }: RequestContext) => withoutSecrets(message, secrets)

/** Administrators can switch off either service; then a page for people is the answer. */
function switchedOff({ host, call }: RequestContext): string {
  const service = / \/namespace\b/.test(call) ? 'RAN' : 'Platform-API-External'
  return `${host} answers with a web page: the service is switched off. Enable the HTTP service "${service}" on the cluster.`
}

function busy(context: RequestContext, refusal: OneFsRefusal): string {
  return `${context.host} is too busy to ${context.purpose}: ${detailOf(refusal, context) || `status ${refusal.statusCode}`}`
}

function forbidden({ username, purpose, privilege, call }: RequestContext): string {
  const role = privilege === '' ? 'Check the role of the user.' : `The role of the user needs ${privilege}.`
  return `The user ${username} is not allowed to ${purpose} (${call}). ${role}`
}

const notFound = ({ host, purpose }: RequestContext) => `${host} can't ${purpose}: it does not exist.`

const tooOld = ({ host, purpose }: RequestContext) =>
  `${host} can't ${purpose}: this release of OneFS is not supported.`

const table: FailureTable<OneFsRefusal, RequestContext> = {
  refusal: OneFsRefusal,
  refusals: [
    {
      when: ({ isHtml, statusCode }, { hasAnswered }) => isHtml && hasAnswered && statusCode >= 500,
      sentence: switchedOff,
      failure: (sentence) => new StoreBusy(sentence),
    },
    { when: ({ isHtml }) => isHtml, sentence: switchedOff, failure: (sentence) => new ScanFailed(sentence) },
    {
      status: /^3/,
      sentence: ({ host }) =>
        `${host} redirects requests, which is not followed. Enter the address of the cluster itself.`,
      failure: (sentence) => new ScanFailed(sentence),
    },
    { codes: /^AEC_TRANSIENT$/, isBusy: true, sentence: busy },
    { status: /^(408|429|5\d\d)$/, isBusy: true, sentence: busy },
    {
      codes: /^AEC_INVALID_LICENSE$/,
      sentence: () => 'The SnapshotIQ license is missing or has expired. Activate SnapshotIQ on the cluster.',
    },
    { codes: /^AEC_FORBIDDEN$/, sentence: forbidden, field: 'credentials' },
    {
      codes: /^AEC_LIMIT_EXCEEDED$/,
      sentence: ({ host, purpose }) =>
        `${host} has reached a limit and can't ${purpose}. Delete snapshots that are not needed, or raise the limit.`,
    },
    {
      codes: /^AEC_NAMETOO_LONG$/,
      sentence: ({ host, purpose }) => `${host} can't ${purpose}: a name is too long.`,
    },
    { codes: /^AEC_NOT_FOUND$/, sentence: notFound, field: 'path' },
    {
      codes: /^AEC_CONFLICT$/,
      sentence: ({ host, purpose }) =>
        `${host} can't ${purpose} now: another operation is in its way. Try again later.`,
    },
    { codes: /^AEC_METHOD_NOT_ALLOWED$/, sentence: tooOld },
    { status: /^403$/, sentence: forbidden, field: 'credentials' },
    { status: /^404$/, sentence: notFound, field: 'path' },
    { status: /^405$/, sentence: tooOld },
  ],
  other: ({ host, purpose }, { code, statusCode }) =>
    `${host} refused to ${purpose} with ${code || `status ${statusCode}`}.`,
  failed(sentence, refusal, context) {
    const detail = detailOf(refusal, context)
    return new Refused(detail === '' ? sentence : `${sentence} OneFS says: ${detail}`, refusal, detail)
  },
  errors: [
    {
      when: isOne(UntrustedCertificate),
      sentence: ({ host }, error) => untrustedReason(error as UntrustedCertificate, host),
      field: 'certificateFingerprint',
    },
    { when: isOne(TooLong), sentence: ({ host }) => `${host} sends a response that is too long.` },
    {
      when: isOne(SyntaxError, z.ZodError),
      sentence: ({ host }) => `${host} does not answer as OneFS does. Check the host and the port.`,
      field: 'host',
    },
    {
      when: (error, { hasAnswered }) => error instanceof NoAnswer && hasAnswered,
      sentence: ({ host }) => `${host} does not answer in time`,
      failure: (sentence) => new StoreBusy(sentence),
    },
  ],
  connection: connectionFailure,
}

/** One sign-in is tried at most, so that the account is not locked. */
export const signInRefused = ({ host, username }: RequestContext): SignInRefused =>
  atField(
    new SignInRefused(
      `${host} does not accept the user name or the password of ${username}. Check the credentials, and that the role of the user has ISI_PRIV_LOGIN_PAPI. Nothing was tried again, so that the account is not locked.`,
    ),
    'credentials',
  )
