import { counted } from '#events/contract/counted.ts'
import { bucketTypes } from '#events/sources/buckets.ts'
import type { S3Type } from '#events/sources/regions.ts'
import { connectionFailure, withoutSecrets } from '../http/connectionFailure.ts'
import { busyStatus, failureFrom, type FailureTable, isOne } from '../http/failureTable.ts'
import { TooLong } from '#events/node/jsonMeter.ts'
import { messageOf, ScanFailed, StoreBusy } from '../system.ts'
import { nameOf, regionOf, type StorePlace } from './endpoints.ts'
import { NotXml } from './readXml.ts'
import { StoreRefusal } from './refusal.ts'
import { NoRole } from './role.ts'

/** The parts of a request that messages about its failure name. */
export type RequestContext = StorePlace & {
  /** Missing where the buckets themselves are listed. */
  bucket?: string
  /** Action on the bucket, if that is not listing it, and the right that it needs. */
  what?: { does: string; right: string }
  host: string
  accessKey: string
  secretKey: string
  sessionToken?: string | undefined
  usesRole?: boolean | undefined
  requesterPays?: boolean | undefined
  /** True if the store has answered a request before. */
  hasAnswered: boolean
}

/** A request that a store refused, with its status. */
export class StoreRefused extends ScanFailed {
  status: number
  constructor(message: string, { statusCode }: Pick<StoreRefusal, 'statusCode'>) {
    super(message)
    this.status = statusCode
  }
}

/** The failure of a request, for users, without a key: `StoreBusy` if it may succeed later, else `ScanFailed`. */
export const failureOf = (error: unknown, request: RequestContext): Error => failureFrom(table, error, request)

export const secretsOf = ({
  secretKey,
  accessKey,
  sessionToken,
}: Pick<RequestContext, 'secretKey' | 'accessKey' | 'sessionToken'>): string[] => [
  secretKey,
  accessKey,
  ...(sessionToken ? [sessionToken] : []),
]

const busyCodes =
  /^(SlowDown|ServiceUnavailable|InternalError|RequestTimeout|RequestLimitExceeded|TooManyRequests|Throttling\w*|ServerBusy)$/

type Sentence = (request: RequestContext, refusal: StoreRefusal) => string

const busy: Sentence = (request, { code, statusCode }) =>
  `${atHost(request)} is too busy: ${code || `status ${statusCode}`}`

const wrongKey: Sentence = (request) => {
  const sentence = `${nameOf(request)} does not know this ${keysOf(request.type).accessKey}`
  if (request.type === 'BACKBLAZE_B2')
    return `${sentence} in the region ${regionOf(request)}; the master application key does not work with S3`
  return request.type === 'ORACLE_OBJECT_STORAGE'
    ? `${sentence}, or not in the namespace ${request.namespace} and the region ${regionOf(request)}`
    : sentence
}

const wrongSecret: Sentence = (request) => {
  const { accessKey, secretKey } = keysOf(request.type)
  const sentence = `The ${secretKey} does not belong to the ${accessKey}`
  return request.type === 'ORACLE_OBJECT_STORAGE'
    ? `${sentence}, or the region ${regionOf(request)} is wrong`
    : sentence
}

const noRight: Sentence = (request) => {
  const who = request.usesRole ? "The role of the agent's machine has" : 'These credentials have'
  if (request.bucket === undefined)
    return `${who} no right to list buckets at ${inSentence(request)} (s3:ListAllMyBuckets)`
  const { does, right } = request.what ?? { does: 'list', right: 's3:ListBucket' }
  const payer =
    request.type === 'S3' && !request.requesterPays ? ', or the bucket requires that the requester pays' : ''
  return `${who} no right to ${does} the bucket ${request.bucket} (${right})${payer}`
}

const noBucket: Sentence = (request) => {
  const where = request.type === 'ORACLE_OBJECT_STORAGE' ? ` in the namespace ${request.namespace}` : ''
  return `${nameOf(request)} has no bucket ${request.bucket ?? ''}${where}${inRegion(request)}`
}

const wrongClock: Sentence = (request, { date }) => {
  const minutes = Math.round((Date.now() - date) / 60_000)
  const difference = `${counted(Math.abs(minutes), 'minute')} ${minutes < 0 ? 'behind' : 'ahead of'}`
  return `The clock of the agent's machine is ${Number.isNaN(date) ? 'not as' : difference} that of ${inSentence(request)}`
}

const elsewhere: Sentence = (request, { region, host }) => {
  const what = request.bucket === undefined ? 'The list of buckets' : `The bucket ${request.bucket}`
  const place = region || host ? `elsewhere (${[region, host].filter(Boolean).join(', ')})` : 'in another region'
  return `${what} is ${place}, not ${request.type === 'OTHER' ? `at ${request.host}` : `in the region ${regionOf(request)}`}`
}

const table: FailureTable<StoreRefusal, RequestContext> = {
  refusal: StoreRefusal,
  refusals: [
    { status: busyStatus, isBusy: true, sentence: busy },
    { codes: busyCodes, isBusy: true, sentence: busy },
    {
      codes: /^(ExpiredToken|TokenRefreshRequired|InvalidToken|InvalidAccessKeyId|SignatureDoesNotMatch)$/,
      when: (_, { usesRole }) => usesRole === true,
      sentence: (request, { code }) =>
        `${atHost(request)} does not accept the keys of the role that the agent's machine has (${code}). Check the role, and the machine's clock.`,
      field: 'credentials',
    },
    {
      codes: /^(ExpiredToken|TokenRefreshRequired)$/,
      sentence: (request) =>
        `The session token for ${inSentence(request)} has expired. Save new keys and their token in the credentials.`,
      field: 'credentials',
    },
    {
      codes: /^InvalidToken$/,
      when: (_, { sessionToken }) => sessionToken !== undefined,
      sentence: (request) => `The session token does not belong to these keys, or not at ${inSentence(request)}`,
      field: 'credentials',
    },
    {
      codes: /^(InvalidAccessKeyId|InvalidAccessKey|NotAuthenticated|InvalidToken)$/,
      sentence: wrongKey,
      field: 'credentials',
    },
    { codes: /^SignatureDoesNotMatch$/, sentence: wrongSecret, field: 'credentials' },
    {
      codes: /^(AccessDenied|AllAccessDisabled|AccountProblem|Forbidden|NotAuthorized|UnauthorizedAccess)$/,
      sentence: noRight,
      isDenied: true,
    },
    { codes: /^(NoSuchBucket|BucketNotFound|InvalidBucketName)$/, sentence: noBucket, field: 'name' },
    {
      codes: /^(NamespaceNotFound|InvalidNamespaceName)$/,
      sentence: (request) => `${nameOf(request)} has no namespace ${request.namespace}${inRegion(request)}`,
      field: 'namespace',
    },
    { codes: /^(RequestTimeTooSkewed|RequestExpired)$/, sentence: wrongClock },
    {
      codes:
        /^(PermanentRedirect|TemporaryRedirect|Redirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException|InvalidRegionName)$/,
      sentence: elsewhere,
      field: 'region',
    },
    {
      codes: /^(NotImplemented|MethodNotAllowed|NotSupported)$/,
      sentence: (request, { code }) => {
        const { does } = request.what ?? { does: 'list' }
        return `${atHost(request)} offers no way to ${does} the bucket ${request.bucket ?? ''} (${code})`
      },
    },
    {
      when: ({ isHtml }) => isHtml,
      sentence: (request) => `${atHost(request)} answers with a web page: it is not an S3 endpoint`,
      field: 'host',
    },
    { status: /^3/, sentence: (request) => `${atHost(request)} redirects requests, which is not followed` },
    {
      codes: /^$/,
      status: /^40[13]$/,
      sentence: (request) => `${atHost(request)} refuses these credentials`,
      field: 'credentials',
    },
    {
      codes: /^$/,
      sentence: (request, { statusCode }) => `${atHost(request)} does not answer as S3 does: status ${statusCode}`,
      field: 'host',
    },
  ],
  other: (request, { code, message }) =>
    `${atHost(request)} refused: ${code}${message && `, ${withoutSecrets(message, secretsOf(request))}`}`,
  failed: (sentence, refusal) => new StoreRefused(sentence, refusal),
  errors: [
    {
      when: isOne(NoRole),
      sentence: (_, error) => noRole(error as NoRole),
      field: 'credentials',
      // A role that worked before is tried again, like a store that is busy.
      failure: (sentence, _, { hasAnswered }) => (hasAnswered ? new StoreBusy(sentence) : new ScanFailed(sentence)),
    },
    {
      when: (error, { what }) => error instanceof TooLong && what?.right === 's3:GetObject',
      sentence: (request) => `${atHost(request)} sends more of an object than is read at once`,
    },
    {
      when: isOne(TooLong),
      sentence: (request) => `${atHost(request)} sends a page that is too long to be a list of 1,000 keys`,
    },
    {
      when: isOne(NotXml),
      sentence: (request, error) => `${atHost(request)} does not answer as S3 does: ${messageOf(error)}`,
    },
  ],
  connection: (error, request) =>
    connectionFailure(error, {
      host: request.host,
      hasAnswered: request.hasAnswered,
      secrets: secretsOf(request),
      hint: request.type === 'OTHER' ? '' : `the region ${regionOf(request)}`,
      isTypedPlain: request.endpoint?.startsWith('http:') ?? false,
    }),
}

/** Sentence for a machine without a role that works. */
export const noRole = ({ isMissing, message }: NoRole): string =>
  isMissing
    ? "The agent's machine has no role: neither its environment and AWS files nor its container or instance have one. Attach a role to the machine, or use access keys. In a container on EC2, the hop limit of the instance's metadata has to be 2."
    : `The role of the agent's machine could not be used: ${withoutSecrets(message, [])}`

const inRegion = (request: RequestContext): string =>
  request.type === 'OTHER' ? '' : ` in the region ${regionOf(request)}`
const atHost = (request: RequestContext): string =>
  request.type === 'OTHER' ? nameOf(request) : `${nameOf(request)} (${request.host})`
const inSentence = (request: RequestContext): string => atHost(request).replace(/^The /, 'the ')

/** Names of the keys for users, in the middle of a sentence. */
function keysOf(type: S3Type): { accessKey: string; secretKey: string } {
  const { accessKey, privateKey } = bucketTypes[type]
  const uncapped = (label: string) => label.charAt(0).toLowerCase() + label.slice(1)
  return { accessKey: uncapped(accessKey), secretKey: uncapped(privateKey) }
}
