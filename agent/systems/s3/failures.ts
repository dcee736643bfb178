import { bucketTypes } from '#events/sources/buckets.ts'
import type { S3Type } from '#events/sources/regions.ts'
import { connectionFailure, withoutSecrets } from '../http/connectionFailure.ts'
import { TooLong } from '../http/transport.ts'
import { ScanFailed, StoreBusy } from '../system.ts'
import { nameOf, regionOf, type StorePlace } from './endpoints.ts'
import { NotXml } from './readXml.ts'
import { Refusal } from './refusal.ts'

/** The parts of a request that messages about its failure name. */
export type RequestContext = StorePlace & {
  /** Missing where the buckets themselves are listed. */
  bucket?: string
  /** Action on the bucket, if that is not listing it, and the right that it needs. */
  what?: { does: string; right: string }
  host: string
  accessKey: string
  secretKey: string
  /** True if the store has answered a request before. */
  hasAnswered: boolean
}

/** A request that a store refused, with the code that it gave. */
export class StoreRefused extends ScanFailed {
  code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** Why a request failed, in a sentence for people: `StoreBusy` where it may succeed later, else `ScanFailed`. Never with a key in it. */
export function failureOf(error: unknown, asked: RequestContext): Error {
  if (error instanceof StoreBusy || error instanceof ScanFailed) return error
  if (error instanceof Refusal) return refusalOf(error, asked)
  if (error instanceof TooLong)
    return new ScanFailed(
      asked.what?.right === 's3:GetObject'
        ? `${atHost(asked)} sends more of an object than is read at once`
        : `${atHost(asked)} sends a page that is too long to be a list of 1,000 keys`,
    )
  if (error instanceof NotXml) return new ScanFailed(`${atHost(asked)} does not answer as S3 does: ${error.message}`)
  return connectionFailure(error, {
    host: asked.host,
    hasAnswered: asked.hasAnswered,
    secrets: secretsOf(asked),
    hint: asked.type === 'OTHER' ? '' : `is the region ${regionOf(asked)} right?`,
    isTypedPlain: asked.endpoint?.startsWith('http:') ?? false,
  })
}

const secretsOf = ({ secretKey, accessKey }: RequestContext): string[] => [secretKey, accessKey]

const busyCodes =
  /^(SlowDown|ServiceUnavailable|InternalError|RequestTimeout|RequestLimitExceeded|TooManyRequests|Throttling\w*|ServerBusy)$/

function refusalOf(refusal: Refusal, asked: RequestContext): Error {
  const { statusCode, code } = refusal
  const isBusy = statusCode === 429 || (statusCode >= 500 && statusCode !== 501) || busyCodes.test(code)
  if (isBusy)
    return new StoreBusy(`${atHost(asked)} is too busy: ${code || `status ${statusCode}`}`, refusal.retryAfterMs)
  return new StoreRefused(reasonOf(refusal, asked), code)
}

const reasonOf = (refusal: Refusal, asked: RequestContext): string =>
  reasons[reasonsOfCodes[refusal.code] ?? '']?.(refusal, asked) ?? otherReason(refusal, asked)

/** Reasons by the codes that stores use for them. */
const reasonsOfCodes: Record<string, string> = {
  InvalidAccessKeyId: 'wrongKey',
  InvalidAccessKey: 'wrongKey',
  NotAuthenticated: 'wrongKey',
  InvalidToken: 'wrongKey',
  SignatureDoesNotMatch: 'wrongSecret',
  AccessDenied: 'noRight',
  AllAccessDisabled: 'noRight',
  AccountProblem: 'noRight',
  Forbidden: 'noRight',
  NotAuthorized: 'noRight',
  UnauthorizedAccess: 'noRight',
  NoSuchBucket: 'noBucket',
  BucketNotFound: 'noBucket',
  InvalidBucketName: 'noBucket',
  NamespaceNotFound: 'noNamespace',
  InvalidNamespaceName: 'noNamespace',
  RequestTimeTooSkewed: 'wrongClock',
  RequestExpired: 'wrongClock',
  PermanentRedirect: 'elsewhere',
  TemporaryRedirect: 'elsewhere',
  Redirect: 'elsewhere',
  AuthorizationHeaderMalformed: 'elsewhere',
  IllegalLocationConstraintException: 'elsewhere',
  InvalidRegionName: 'elsewhere',
}

const reasons: Record<string, (refusal: Refusal, asked: RequestContext) => string> = {
  wrongKey: (_, asked) => {
    const sentence = `${nameOf(asked)} does not know this ${keysOf(asked.type).accessKey}`
    if (asked.type === 'BACKBLAZE_B2')
      return `${sentence} in the region ${regionOf(asked)}; the master application key does not work with S3`
    return asked.type === 'ORACLE_OBJECT_STORAGE'
      ? `${sentence}, or not in the namespace ${asked.namespace} and the region ${regionOf(asked)}`
      : sentence
  },
  wrongSecret: (_, asked) => {
    const { accessKey, secretKey } = keysOf(asked.type)
    const sentence = `The ${secretKey} does not belong to the ${accessKey}`
    return asked.type === 'ORACLE_OBJECT_STORAGE' ? `${sentence}, or the region ${regionOf(asked)} is wrong` : sentence
  },
  noRight: (_, asked) => {
    if (asked.bucket === undefined)
      return `These credentials have no right to list buckets at ${inSentence(asked)} (s3:ListAllMyBuckets)`
    const { does, right } = asked.what ?? { does: 'list', right: 's3:ListBucket' }
    return `These credentials have no right to ${does} the bucket ${asked.bucket} (${right})`
  },
  noBucket: (_, asked) => {
    const where = asked.type === 'ORACLE_OBJECT_STORAGE' ? ` in the namespace ${asked.namespace}` : ''
    return `${nameOf(asked)} has no bucket ${asked.bucket ?? ''}${where}${inRegion(asked)}`
  },
  noNamespace: (_, asked) => `${nameOf(asked)} has no namespace ${asked.namespace}${inRegion(asked)}`,
  wrongClock: ({ date }, asked) => {
    const minutes = Math.round((Date.now() - date) / 60_000)
    const difference = `${Math.abs(minutes).toLocaleString('en')} minutes ${minutes < 0 ? 'behind' : 'ahead of'}`
    return `The clock of the agent's machine is ${Number.isNaN(date) ? 'not as' : difference} that of ${inSentence(asked)}`
  },
  elsewhere: ({ region, host }, asked) => {
    const what = asked.bucket === undefined ? 'What is asked for' : `The bucket ${asked.bucket}`
    const place = region || host ? `elsewhere (${[region, host].filter(Boolean).join(', ')})` : 'in another region'
    return `${what} is ${place}, not ${asked.type === 'OTHER' ? `at ${asked.host}` : `in the region ${regionOf(asked)}`}`
  },
}

const inRegion = (asked: RequestContext): string => (asked.type === 'OTHER' ? '' : ` in the region ${regionOf(asked)}`)
const atHost = (asked: RequestContext): string =>
  asked.type === 'OTHER' ? nameOf(asked) : `${nameOf(asked)} (${asked.host})`
const inSentence = (asked: RequestContext): string => atHost(asked).replace(/^The /, 'the ')

function otherReason({ statusCode, code, message, isHtml }: Refusal, asked: RequestContext): string {
  if (isHtml) return `${atHost(asked)} answers with a web page: it is no endpoint of S3`
  if (statusCode >= 300 && statusCode < 400) return `${atHost(asked)} sends requests elsewhere, which is not followed`
  if (code === '' && (statusCode === 401 || statusCode === 403)) return `${atHost(asked)} refuses these credentials`
  if (code === '') return `${atHost(asked)} does not answer as S3 does: status ${statusCode}`
  return `${atHost(asked)} refused: ${code}${message && `, ${withoutSecrets(message, secretsOf(asked))}`}`
}

/** Names of the keys for users, in the middle of a sentence. */
function keysOf(type: S3Type): { accessKey: string; secretKey: string } {
  const { accessKey, privateKey } = bucketTypes[type]
  const uncapped = (label: string) => label.charAt(0).toLowerCase() + label.slice(1)
  return { accessKey: uncapped(accessKey), secretKey: uncapped(privateKey) }
}
