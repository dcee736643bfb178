import { type Answer, isHtml, retryAfterMs, textOf } from '../http/answer.ts'
import { connectionFailure } from '../http/connectionFailure.ts'
import { TooLong } from '../http/transport.ts'
import { ScanFailed, StoreBusy } from '../system.ts'

/** The parts of a request that messages about its failure name. */
export type RequestContext = {
  account: string
  host: string
  /** Missing where the containers themselves are listed. */
  container?: string
  signsBy: string
  secrets: string[]
  /** True if the account has answered a request before. */
  hasAnswered: boolean
}

/** An answer that is no success. */
export class Refusal extends Error {
  statusCode: number
  /** Such as ContainerNotFound; '' if missing. */
  code: string
  isHtml: boolean
  /** True if Azure itself answered, and not something on the way. */
  isOfAzure: boolean
  /** True if a signature was refused for its times. */
  isOutOfTime: boolean
  retryAfterMs: number | undefined
  /** When it was answered, by the clock there. */
  date: number

  constructor(answer: Answer) {
    super()
    const { statusCode, headers } = answer
    const text = textOf(answer)
    this.statusCode = statusCode
    const code = headers['x-ms-error-code'] ?? /<Code>\s*(\w+)\s*<\/Code>/.exec(text)?.[1] ?? ''
    this.code = /failed to authenticate/i.test(text) ? 'AuthenticationFailed' : code
    this.isHtml = isHtml(text, headers)
    this.isOfAzure = 'x-ms-request-id' in headers
    this.isOutOfTime = /time frame/i.test(text)
    this.retryAfterMs = retryAfterMs(headers['retry-after'])
    this.date = Date.parse(headers['date'] ?? '')
  }
}

/** A success that is no list of Azure. */
export class NotAzure extends Error {
  isHtml: boolean
  constructor(answer: Answer) {
    super()
    this.isHtml = isHtml(textOf(answer).slice(0, 1_000), answer.headers)
  }
}

/** Why a request failed, in a sentence for people: `StoreBusy` where it may succeed later, else `ScanFailed`. */
export function failureOf(error: unknown, asked: RequestContext): Error {
  const { host, hasAnswered, secrets } = asked
  if (error instanceof Refusal) return refusalOf(error, asked)
  if (error instanceof TooLong) return new ScanFailed(`${host} sends a page that is too long to be a list of blobs`)
  if (error instanceof NotAzure && error.isHtml) return new ScanFailed(webPage(asked))
  // Answers that the SDK cannot read, or that lack something it needs.
  if (error instanceof NotAzure || error instanceof TypeError || (error as { code?: string }).code === 'PARSE_ERROR')
    return new ScanFailed(`${host} does not answer as Azure Blob Storage does`)
  const hint = 'is the name of the account right?'
  return connectionFailure(error, { host, hasAnswered, secrets, hint, isTypedPlain: true })
}

const webPage = ({ host }: RequestContext) => `${host} answers with a web page: it is no endpoint of Azure Blob Storage`

function refusalOf(refusal: Refusal, asked: RequestContext): Error {
  const { statusCode, code, retryAfterMs } = refusal
  const isBusy = statusCode === 429 || (statusCode >= 500 && statusCode !== 501) || busyCodes.test(code)
  if (isBusy) return new StoreBusy(`${asked.host} is too busy: ${code || `status ${statusCode}`}`, retryAfterMs)
  return new ScanFailed(reasons.find(({ codes }) => codes.test(code))?.reason(refusal, asked) ?? other(refusal, asked))
}

const busyCodes = /^(ServerBusy|InternalError|OperationTimedOut)$/
const maxSkewMs = 15 * 60_000

const reasons: { codes: RegExp; reason: (refusal: Refusal, asked: RequestContext) => string }[] = [
  {
    codes: /^(AuthenticationFailed|InvalidAuthenticationInfo)$/,
    reason({ date, isOutOfTime }, { account, host, signsBy }) {
      const ahead = Date.now() - date
      if (Math.abs(ahead) > maxSkewMs) {
        const minutes = Math.round(Math.abs(ahead) / 60_000).toLocaleString('en')
        return `The clock of the agent's machine is ${minutes} minutes ${ahead < 0 ? 'behind' : 'ahead of'} that of ${host}`
      }
      return isOutOfTime
        ? `The ${signsBy} of the account ${account} has expired, or is not valid yet`
        : `Azure does not accept the ${signsBy} of the account ${account}`
    },
  },
  {
    codes: /^(KeyBasedAuthenticationNotPermitted|PublicAccessNotPermitted|NoAuthenticationInformation)$/,
    reason: (_, { account, signsBy }) => `The account ${account} does not permit access by ${signsBy}`,
  },
  {
    codes: /^(AuthorizationFailure|AuthorizationSourceIPMismatch)$/,
    reason: (_, asked) =>
      `This connection string has no right to list ${what(asked)}, or not from the address of the agent's machine`,
  },
  {
    codes: /^(Authorization\w*Mismatch|InsufficientAccountPermissions)$/,
    reason: (_, asked) => `This connection string has no right to list ${what(asked)}`,
  },
  {
    codes: /^(ContainerNotFound|InvalidResourceName|ResourceNotFound)$/,
    reason: (_, { account, container }) => `The account ${account} has no container ${container ?? ''}`.trimEnd(),
  },
  { codes: /^ContainerBeingDeleted$/, reason: (_, asked) => `Azure is deleting ${what(asked)}` },
  { codes: /^AccountIsDisabled$/, reason: (_, { account }) => `The account ${account} is disabled` },
  {
    codes: /^(OutOfRangeInput|InvalidMarker)$/,
    reason: () => 'Azure does not know any more where the listing was: scan again from the beginning',
  },
]

const what = ({ container }: RequestContext): string =>
  container === undefined ? 'containers' : `the container ${container}`

function other({ statusCode, code, isHtml }: Refusal, asked: RequestContext): string {
  if (isHtml) return webPage(asked)
  if (statusCode >= 300 && statusCode < 400) return `${asked.host} sends requests elsewhere, which is not followed`
  if (code === '') return `${asked.host} does not answer as Azure Blob Storage does: status ${statusCode}`
  return `${asked.host} refused: ${code}`
}
