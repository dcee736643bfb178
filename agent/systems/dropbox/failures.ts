import { z } from 'zod'
import { type Answer, isHtml, retryAfterMs, textOf } from '../http/answer.ts'
import { connectionFailure, withoutSecrets } from '../http/connectionFailure.ts'
import { TooLong } from '../http/transport.ts'
import { ScanFailed, StoreBusy } from '../system.ts'

/** The parts of a request that messages about its failure name. */
export type RequestContext = {
  host: string
  /** True if the host has answered a request before. */
  hasAnswered: boolean
  /** The folder that a call was about. */
  folder: string
  secrets: string[]
  isPlain: boolean
}

/** An answer that is no success. `summary` is such as 'path/not_found/', or 'invalid_grant' of a sign-in. */
export class Refusal extends Error {
  statusCode: number
  summary: string
  text: string
  isHtml: boolean
  /** True if another access token may be accepted. */
  isOfToken: boolean
  retryAfterMs: number | undefined

  constructor(answer: Answer) {
    super()
    const text = textOf(answer)
    this.statusCode = answer.statusCode
    this.text = text
    this.summary = summaryOf(text)
    this.isHtml = isHtml(text, answer.headers)
    this.isOfToken = answer.statusCode === 401 && /^(expired|invalid)_access_token/.test(this.summary)
    this.retryAfterMs = retryAfterMs(answer.headers['retry-after'])
  }
}

/** A success that is no answer of Dropbox. */
export class NotDropbox extends Error {
  isHtml: boolean
  constructor(answer: Answer) {
    super()
    this.isHtml = isHtml(textOf(answer).slice(0, 1_000), answer.headers)
  }
}

/** The listing has to start from scratch: Dropbox no longer knows its place. */
export class ListingReset extends ScanFailed {}

/** There is no such folder. */
export class NoFolder extends ScanFailed {}

const Said = z.object({ error_summary: z.string().optional(), error: z.unknown() })

function summaryOf(text: string): string {
  try {
    const { error_summary: summary, error } = Said.parse(JSON.parse(text))
    return summary ?? (typeof error === 'string' ? error : '')
  } catch {
    return ''
  }
}

/** Why a call failed, in a sentence for people: `StoreBusy` where it may succeed later, else `ScanFailed`. */
export function failureOf(error: unknown, asked: RequestContext): Error {
  const { host, isPlain } = asked
  if (error instanceof Refusal) return refusalOf(error, asked)
  if (error instanceof TooLong) return new ScanFailed(`${host} sends a page that is too long to be a list of files`)
  if (error instanceof NotDropbox && error.isHtml) return new ScanFailed(webPage(asked))
  if (error instanceof NotDropbox || error instanceof z.ZodError)
    return new ScanFailed(`${host} does not answer as Dropbox does`)
  return connectionFailure(error, { ...asked, isTypedPlain: isPlain })
}

const webPage = ({ host }: RequestContext) => `${host} answers with a web page instead of as Dropbox does`

function refusalOf(refusal: Refusal, asked: RequestContext): Error {
  const { statusCode, summary, retryAfterMs } = refusal
  if (statusCode === 429 || statusCode >= 500)
    return new StoreBusy(`Dropbox is too busy: ${summary.split('/')[0] || `status ${statusCode}`}`, retryAfterMs)
  if (summary.startsWith('reset')) return new ListingReset('Dropbox does not know any more where the listing was')
  if (summary.startsWith('path/not_found')) return new NoFolder(`Dropbox has no folder ${asked.folder}`)
  return new ScanFailed(reasons.find(({ of }) => of.test(summary))?.reason(asked) ?? other(refusal, asked))
}

const reasons: { of: RegExp; reason: (asked: RequestContext) => string }[] = [
  {
    of: /^invalid_grant/,
    reason: () => 'Dropbox does not accept this code any more: get a new one, and save it in the credentials',
  },
  { of: /^(invalid_client|unauthorized_client)/, reason: () => 'Dropbox does not know the app key of this server' },
  { of: /^path\/not_folder/, reason: ({ folder }) => `${folder} is no folder of Dropbox` },
  { of: /^path\/malformed_path/, reason: ({ folder }) => `${folder} is no path of Dropbox` },
  { of: /^path\/restricted_content/, reason: ({ folder }) => `Dropbox does not let the folder ${folder} be listed` },
  {
    of: /^missing_scope/,
    reason: () => 'The app of Dropbox may not do this: it needs files.metadata.read and account_info.read',
  },
  { of: /^user_suspended/, reason: () => 'The account of Dropbox is suspended' },
  {
    of: /^(expired|invalid)_access_token/,
    reason: () => 'Dropbox does not accept the sign-in: get a new code, and save it in the credentials',
  },
]

function other({ statusCode, summary, text, isHtml }: Refusal, asked: RequestContext): string {
  if (isHtml) return webPage(asked)
  if (statusCode >= 300 && statusCode < 400) return `${asked.host} sends requests elsewhere, which is not followed`
  const reason = withoutSecrets(summary || text, asked.secrets)
  return `Dropbox refused with status ${statusCode}${reason && `: ${reason}`}`
}
