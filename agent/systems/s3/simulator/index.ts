import { createHash } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { newPort, type Tls } from '#agent/simulator/listen.ts'
import type { StoredObject } from '../../objectEntry.ts'
import { type Answered, answered, element, refused } from './answers.ts'
import { foreignList, type ForeignStore } from './foreignList.ts'
import { type Objects, objectsOf, writtenObjects } from './keys.ts'
import { type ListedBucket, listObjects } from './listObjects.ts'
import { Load, type LoadLimits } from './load.ts'
import { misbehaviours } from './misbehaviours.ts'
import { type Account, signerOf } from './signature.ts'
import { type Hidden, listParts, listUploads, listVersions } from './versions.ts'

export { countedObjects, objectsOf } from './keys.ts'

/** Differences between the simulator and a healthy store; they may be changed while it runs. */
type Behaviour = LoadLimits & {
  /** Time that each answer takes. */
  pageMs?: number
  /** Number of the next requests that are answered with SlowDown, or with `busyStatus`. */
  busy?: number
  busyStatus?: 429 | 500 | 503
  busyHeaders?: Record<string, string>
  /** Instead of an answer. */
  misbehaviour?: keyof typeof misbehaviours | undefined
  /** Answer to a request for another region. */
  redirect?: 'permanent' | 'temporary' | 'malformed'
  /** The host that a redirect names. */
  redirectTo?: string
  /** Time by which its clock is ahead. */
  aheadMs?: number
  /** Tokens that it gave are worth nothing. */
  forgetsTokens?: boolean
  /** Objects are sent whole. */
  ignoresRanges?: boolean
  /** Status of an answer with the whole object as the requested range. */
  wholeRangeStatus?: 200 | 206
  ignoresMatch?: boolean
  /** Codes with which single objects are refused, by key. */
  refusedObjects?: Record<string, 'AccessDenied' | 'InvalidObjectState'>
  /** Replaces the query of a listing, as a store would that knows less. */
  query?: (query: URLSearchParams) => void
  /** Lists as a store that differs from Amazon. */
  foreign?: ForeignStore
}

type Files = ReadonlyMap<string, Uint8Array>

type BucketContents = {
  objects: Objects
  region?: string
  hidden?: Hidden
  files?: Files
  isPaidByRequester?: boolean
}

export type SimulatorOptions = {
  accounts: Account[]
  /** The buckets by name; without a region they are in us-east-1. */
  /** `files` are what those of its objects hold that can be read. */
  /** Of one where the requester pays, others are denied. Access points are named as in hosts: `films-123456789012`. */
  buckets: Record<string, BucketContents>
  behaviour?: Behaviour
  tls?: Tls
  /** Called after each change by `put` and `remove`, like S3 sends notifications. */
  notify?: (event: BucketEvent) => void
}
export type BucketEvent = { bucket: string; key: string; name: string }

/**
 * A store that speaks S3 on the loopback: ListBuckets, ListObjectsV2, GetObject, and the lists of versions, uploads and their parts, with
 * signatures that it checks. Buckets are named in the path, or in hosts that end in amazonaws.com. `requests` are the requested addresses,
 * with the host's name, `objects` counts those for objects, and the bytes that were sent of these.
 */
export async function startSimulator(options: SimulatorOptions) {
  const behaviour: Behaviour = { ...options.behaviour }
  const load = new Load(behaviour)
  const requests: string[] = []
  const objects = { requests: 0, bytes: 0 }
  const buckets = new Map<string, SimulatedBucket>()
  for (const [name, { objects, region = 'us-east-1', hidden = {}, files = new Map(), ...contents }] of Object.entries(
    options.buckets,
  ))
    buckets.set(name, { ...contents, name, region, objects, hidden, files, write: writtenObjects(objects) })
  const listener: RequestListener = (request, response) => {
    requests.push(`${request.headers.host}${request.url}`)
    const store = { accounts: options.accounts, buckets, behaviour, objects }
    void load.take(behaviour.pageMs ?? 0, (outcome) => {
      if (outcome === 'cut') response.destroy()
      else answer(store, request, response, outcome === 'busy')
    })
  }
  const change = (bucket: string, key: string, object?: StoredObject) => {
    const changed = buckets.get(bucket) as SimulatedBucket
    const kept = Array.from({ length: changed.objects.count }, (_, at) => changed.objects.at(at))
    changed.objects = objectsOf([...kept.filter((one) => one.key !== key), ...(object ? [object] : [])])
    changed.write = writtenObjects(changed.objects)
    options.notify?.({ bucket, key, name: object ? 'ObjectCreated:Put' : 'ObjectRemoved:Delete' })
  }
  const put = (bucket: string, object: StoredObject) => change(bucket, object.key, object)
  const remove = (bucket: string, key: string) => change(bucket, key)
  const { url, port, stop: close } = await newPort(listener, 0, options.tls)
  return { url, port, behaviour, requests, objects, load, put, remove, close }
}

type SimulatedBucket = ListedBucket & { region: string; hidden: Hidden; files: Files; isPaidByRequester?: boolean }
type Store = {
  accounts: Account[]
  buckets: Map<string, SimulatedBucket>
  behaviour: Behaviour
  objects: { requests: number; bytes: number }
}

function answer(store: Store, request: IncomingMessage, response: ServerResponse, isTooMany: boolean) {
  const { behaviour } = store
  if (behaviour.misbehaviour) return misbehaviours[behaviour.misbehaviour](response)
  const { status, headers, body } = isTooMany ? tooMany(behaviour) : answerOf(store, request)
  const now = new Date(Date.now() + (behaviour.aheadMs ?? 0))
  const length = body.reduce((sum, piece) => sum + piece.length, 0)
  response.writeHead(status, { ...headers, date: now.toUTCString(), 'content-length': length })
  response.cork()
  for (const piece of body) response.write(piece)
  response.end()
}

function answerOf({ accounts, buckets, behaviour, objects }: Store, request: IncomingMessage): Answered {
  if (behaviour.busy) return busy(behaviour)
  const signed = signerOf(request, accounts, Date.now() + (behaviour.aheadMs ?? 0))
  if ('status' in signed) return signed
  const { name, key, region = signed.region, query } = addressOf(request)
  if (region !== signed.region) return malformed(region)
  if (name === '') return signed.account.mayListBuckets === false ? denied() : listBuckets([...buckets.values()], query)
  const bucket = buckets.get(name)
  if (bucket === undefined)
    return refused(404, 'NoSuchBucket', 'The specified bucket does not exist', { BucketName: name })
  if (bucket.region !== region) return redirected(bucket, behaviour)
  if (bucket.isPaidByRequester && request.headers['x-amz-request-payer'] !== 'requester') return denied()
  const { 'if-match': tag = '' } = request.headers
  const asked = { account: signed.account, key, query, range: rangeOf(request, behaviour), tag }
  const answer = answerOfBucket(bucket, asked, behaviour)
  if (key !== '') {
    objects.requests++
    objects.bytes += answer.body.reduce((sum, { length }) => sum + length, 0)
  }
  return answer
}

type BucketRequest = { account: Account; key: string; query: URLSearchParams; range: string; tag: string }

function answerOfBucket(bucket: SimulatedBucket, request: BucketRequest, behaviour: Behaviour): Answered {
  const { account, key, query } = request
  if (['versions', 'uploads', 'uploadId'].some((asked) => query.has(asked)))
    return account.mayListVersions === false ? denied() : answerHidden(bucket, key, query)
  if (key !== '') return account.mayReadObjects === false ? denied() : answerObject(bucket, request, behaviour)
  return account.mayListObjects === false ? denied() : answerList(bucket, query, behaviour)
}

const rangeOf = ({ headers }: IncomingMessage, { ignoresRanges = false }: Behaviour): string =>
  ignoresRanges ? '' : (headers.range ?? '')

/** Answers GetObject, with the requested range if there is one. */
function answerObject(
  { files }: SimulatedBucket,
  { key, range, tag }: BucketRequest,
  { wholeRangeStatus = 206, ignoresMatch = false, refusedObjects = {} }: Behaviour,
): Answered {
  const refusal = refusedObjects[key]
  if (refusal) return refused(403, refusal, 'The operation is not valid for the object')
  const file = files.get(key)
  if (file === undefined) return refused(404, 'NoSuchKey', 'The specified key does not exist.', { Key: key })
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
  const etag = `"${createHash('md5').update(file).digest('hex')}"`
  if (tag && tag !== etag && !ignoresMatch) return refused(412, 'PreconditionFailed', 'At least one condition is false')
  if (from === undefined) return { status: 200, headers: { etag }, body: [file] }
  if (Number(from) >= file.length) return refused(416, 'InvalidRange', 'The requested range is not satisfiable')
  const body = file.subarray(Number(from), Number(to) + 1)
  const headers = { etag, 'content-range': `bytes ${from}-${Number(from) + body.length - 1}/${file.length}` }
  return { status: body.length === file.length ? wholeRangeStatus : 206, headers, body: [body] }
}

function answerHidden(bucket: SimulatedBucket, key: string, query: URLSearchParams): Answered {
  if (query.has('uploadId')) return listParts(bucket, key, query)
  return query.has('versions') ? listVersions(bucket, query) : listUploads(bucket, query)
}

function busy(behaviour: Behaviour): Answered {
  behaviour.busy = (behaviour.busy ?? 0) - 1
  return tooMany(behaviour)
}

function tooMany(behaviour: Behaviour): Answered {
  const status = behaviour.busyStatus ?? 503
  const answer = refused(status, status === 500 ? 'InternalError' : 'SlowDown', 'Please reduce your request rate.')
  return { ...answer, headers: { ...answer.headers, ...behaviour.busyHeaders } }
}

function answerList(bucket: SimulatedBucket, query: URLSearchParams, behaviour: Behaviour): Answered {
  behaviour.query?.(query)
  if (behaviour.foreign) return foreignList(bucket, query, behaviour.foreign)
  if (query.get('list-type') !== '2') return refused(501, 'NotImplemented', 'Only lists of the second version')
  if (behaviour.forgetsTokens && query.has('continuation-token')) query.set('continuation-token', 'forgotten')
  return listObjects(bucket, query)
}

const denied = () => refused(403, 'AccessDenied', 'Access Denied')

/** The bucket, the key and the region that a request's address names. */
function addressOf(request: IncomingMessage): { name: string; key: string; region?: string; query: URLSearchParams } {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const [, bucket = '', region] =
    /^(?:(.+)\.)?s3(?:-accesspoint)?\.([a-z0-9-]+)\.[a-z0-9.-]+\.com$/.exec(request.headers.host ?? '') ?? []
  const [first = '', ...others] = path.slice(1).split('/')
  const name = bucket || decodeURIComponent(first)
  const key = decodeURIComponent((bucket ? [first, ...others] : others).join('/'))
  return { name, key, ...(region ? { region } : {}), query: new URLSearchParams(query) }
}

const malformed = (region: string) =>
  refused(400, 'AuthorizationHeaderMalformed', `The region is wrong; expecting '${region}'`, { Region: region })

function redirected({ name, region }: SimulatedBucket, { redirect = 'permanent', redirectTo }: Behaviour): Answered {
  if (redirect === 'malformed') return malformed(region)
  const host = redirectTo ?? `${name}.s3.${region}.amazonaws.com`
  const facts = { Endpoint: host, ...(redirectTo === undefined ? { Region: region } : {}) }
  const [status, code] = redirect === 'permanent' ? [301, 'PermanentRedirect'] : [307, 'TemporaryRedirect']
  const answer = refused(
    status as number,
    code as string,
    'The bucket must be addressed using the specified endpoint',
    facts,
  )
  return { ...answer, headers: { ...answer.headers, location: `https://${host}/` } }
}

/** Answers ListBuckets, in pages if requested. */
function listBuckets(buckets: SimulatedBucket[], query: URLSearchParams): Answered {
  const maxBuckets = Number(query.get('max-buckets') ?? buckets.length)
  const region = query.get('bucket-region')
  const after = query.get('continuation-token') ?? ''
  const listed = buckets
    .filter((bucket) => (region === null || bucket.region === region) && bucket.name > after)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const names = listed.slice(0, maxBuckets).map(({ name }) => name)
  const next = listed.length > maxBuckets ? element('ContinuationToken', names.at(-1) ?? '') : ''
  const xml = names.map(
    (name) => `<Bucket>${element('Name', name)}<CreationDate>2020-01-01T00:00:00.000Z</CreationDate></Bucket>`,
  )
  return answered([
    '<ListAllMyBucketsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Owner><ID>owner</ID></Owner>',
    `<Buckets>${xml.join('')}</Buckets>${next}</ListAllMyBucketsResult>`,
  ])
}
