import { counted } from '#events/contract/counted.ts'
import type { Answer } from '../http/answer.ts'
import { connectionFailure } from '../http/connectionFailure.ts'
import { busyStatus, failureFrom, type FailureTable, isOne } from '../http/failureTable.ts'
import { ForeignAnswer, Refusal } from '../http/refusal.ts'
import { TooLong } from '#events/node/jsonMeter.ts'
import { ScanFailed } from '../system.ts'

/** The parts of a request that messages about its failure name. */
export type RequestContext = {
  account: string
  host: string
  /** Missing where the containers themselves are listed. */
  container?: string
  /** True for a request for a part of a blob. */
  isOfBlob?: boolean
  signsBy: string
  secrets: string[]
  /** True if the account has answered a request before. */
  hasAnswered: boolean
}

/** A refusal of an account. */
export class AzureRefusal extends Refusal {
  /** True if Azure itself answered, and not something on the way. */
  isOfAzure: boolean

  constructor(answer: Answer) {
    super(answer)
    const code = answer.headers['x-ms-error-code'] ?? /<Code>\s*(\w+)\s*<\/Code>/.exec(this.text)?.[1] ?? ''
    this.code = /failed to authenticate/i.test(this.text) ? 'AuthenticationFailed' : code
    this.isOfAzure = 'x-ms-request-id' in answer.headers
  }
}

/** A page that is too long to be read at once. */
export class PageTooLong extends ScanFailed {}

/** The failure of a request, for users: `StoreBusy` if it may succeed later, else `ScanFailed`. */
export const failureOf = (error: unknown, request: RequestContext): Error => failureFrom(table, error, request)

const maxSkewMs = 15 * 60_000
const notAuthenticated = /^(AuthenticationFailed|InvalidAuthenticationInfo)$/

const busy = ({ host }: RequestContext, { code, statusCode }: AzureRefusal) =>
  `${host} is too busy: ${code || `status ${statusCode}`}`

const webPage = ({ host }: RequestContext) =>
  `${host} answers with a web page: it is not an Azure Blob Storage endpoint`

function wrongClock({ host }: RequestContext, { date }: AzureRefusal): string {
  const ahead = Date.now() - date
  const minutes = counted(Math.round(Math.abs(ahead) / 60_000), 'minute')
  return `The clock of the agent's machine is ${minutes} ${ahead < 0 ? 'behind' : 'ahead of'} that of ${host}`
}

/** Errors of the SDK for answers that it can't read, or that lack something it needs. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof TypeError || (error as { code?: string }).code === 'PARSE_ERROR'

const table: FailureTable<AzureRefusal, RequestContext> = {
  refusal: AzureRefusal,
  refusals: [
    { status: busyStatus, isBusy: true, sentence: busy },
    { codes: /^(ServerBusy|InternalError|OperationTimedOut)$/, isBusy: true, sentence: busy },
    {
      codes: notAuthenticated,
      when: ({ date }) => Math.abs(Date.now() - date) > maxSkewMs,
      sentence: wrongClock,
    },
    {
      codes: notAuthenticated,
      when: ({ text }) => /time frame/i.test(text),
      sentence: ({ account, signsBy }) => `The ${signsBy} of the account ${account} has expired, or is not valid yet`,
      field: 'credentials',
    },
    {
      codes: notAuthenticated,
      sentence: ({ account, signsBy }) => `Azure does not accept the ${signsBy} of the account ${account}`,
      field: 'credentials',
    },
    {
      codes: /^(KeyBasedAuthenticationNotPermitted|PublicAccessNotPermitted|NoAuthenticationInformation)$/,
      sentence: ({ account, signsBy }) => `The account ${account} does not permit access by ${signsBy}`,
      field: 'credentials',
    },
    {
      codes: /^(AuthorizationFailure|AuthorizationSourceIPMismatch)$/,
      sentence: (request) =>
        `This connection string has no right to ${wanted(request)}, or not from the address of the agent's machine`,
      isDenied: true,
    },
    {
      codes: /^(Authorization\w*Mismatch|InsufficientAccountPermissions)$/,
      sentence: (request) => `This connection string has no right to ${wanted(request)}`,
      isDenied: true,
    },
    {
      codes: /^(ContainerNotFound|InvalidResourceName|ResourceNotFound)$/,
      sentence: ({ account, container }) => `The account ${account} has no container ${container ?? ''}`.trimEnd(),
      field: 'name',
    },
    { codes: /^ContainerBeingDeleted$/, sentence: (request) => `Azure is deleting ${listed(request)}` },
    {
      codes: /^AccountIsDisabled$/,
      sentence: ({ account }) => `The account ${account} is disabled`,
      field: 'credentials',
    },
    {
      codes: /^(OutOfRangeInput|InvalidMarker)$/,
      sentence: () => 'The listing expired at Azure. Start the scan again.',
    },
    { when: ({ isHtml }) => isHtml, sentence: webPage, field: 'host' },
    { status: /^3/, sentence: ({ host }) => `${host} redirects requests, which is not followed` },
    {
      codes: /^$/,
      sentence: ({ host }, { statusCode }) =>
        `${host} does not answer as Azure Blob Storage does: status ${statusCode}`,
    },
  ],
  other: ({ host }, { code }) => `${host} refused: ${code}`,
  errors: [
    {
      when: (error, { isOfBlob }) => error instanceof TooLong && isOfBlob === true,
      sentence: ({ host }) => `${host} sends more of a blob than is read at once`,
    },
    {
      when: isOne(TooLong),
      sentence: ({ host }) => `${host} sends a page that is too long to be a list of blobs`,
      failure: (sentence) => new PageTooLong(sentence),
    },
    { when: (error) => error instanceof ForeignAnswer && error.isHtml, sentence: webPage },
    {
      when: (error) => error instanceof ForeignAnswer || isUnreadable(error),
      sentence: ({ host }) => `${host} does not answer as Azure Blob Storage does`,
    },
  ],
  connection: (error, { host, hasAnswered, secrets }) =>
    connectionFailure(error, {
      host,
      hasAnswered,
      secrets,
      hint: 'the account name',
      isTypedPlain: true,
    }),
}

const listed = ({ container }: RequestContext): string =>
  container === undefined ? 'containers' : `the container ${container}`

const wanted = (request: RequestContext): string => `${request.isOfBlob ? 'read blobs of' : 'list'} ${listed(request)}`
