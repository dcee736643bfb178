import {
  GetObjectCommand,
  type GetObjectCommandInput,
  ListBucketsCommand,
  type ListBucketsCommandInput,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandInput,
  ListObjectsCommand,
  type ListObjectsCommandInput,
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandInput,
  ListPartsCommand,
  type ListPartsCommandInput,
  S3Client,
} from '@aws-sdk/client-s3'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { S3Type } from '#events/sources/regions.ts'
import { type Answer, isHtml, textOf } from '../http/answer.ts'
import { newTransport, type TransportOptions } from '../http/transport.ts'
import { endpointOf, isRegion, providers, regionOf, type StorePlace } from './endpoints.ts'
import { type RequestContext, failureOf } from './failures.ts'
import { NotXml } from './readXml.ts'
import { StoreRefusal } from './refusal.ts'
import { checkRole } from './role.ts'

/** A store and how to sign in to it. */
export type StoreOptions = StorePlace & {
  accessKey: string
  secretKey: string
  /** Token of temporary keys. */
  sessionToken?: string | undefined
  /** Signs in with the role of this machine instead of keys. */
  usesRole?: boolean | undefined
  /** The owner of the keys pays for requests. */
  requesterPays?: boolean | undefined
  /** Maximum number of requests that start in a second; unlimited by default. */
  requestsPerSecond?: number | undefined
}

type Reader<T> = (xml: string) => T
type Take<T> = (answer: Answer) => T
type Options = Pick<RequestContext, 'bucket' | 'what'> & { signal: AbortSignal }

/** Regions that one request is sent on to. */
const maxRedirects = 2

/**
 * Asks a store. The SDK signs and finds endpoints; answers are read by us alone, and nothing is tried again here. Each question
 * throws `StoreBusy` or `ScanFailed`, with a sentence for people. Throws `ScanFailed` for a place where no store can be.
 */
export function newClient(options: StoreOptions, transportOptions: TransportOptions = {}) {
  endpointOf(options, regionOf(options))
  // The first bytes of a part of a file may look like those of JSON.
  const transport = newTransport({ ...transportOptions, json: null })
  const clients = new Map<string, S3Client>()
  const pace = newPace(options.requestsPerSecond)
  let region = regionOf(options)
  let hasAnswered = false
  const clientIn = (region: string) => {
    const client = clients.get(region) ?? sdkClient(options, region, transport)
    clients.set(region, client)
    return client
  }

  async function ask<T>(command: () => Command, take: Take<T>, { signal, ...of }: Options): Promise<T> {
    let host = ''
    const asked = (): RequestContext => ({ ...options, host, hasAnswered, ...of })
    for (let redirects = 0; ; redirects++) {
      const askedIn = region
      try {
        const client = clientIn(askedIn)
        if (options.usesRole) await checkRole(client)
        await pace(signal)
        const answer = await answerOf(client, command(), { signal, sentTo: (name) => (host = name) })
        hasAnswered = true
        if (answer.statusCode !== 200 && answer.statusCode !== 206) throw new StoreRefusal(answer)
        return take(answer)
      } catch (error) {
        signal.throwIfAborted()
        const next = redirects < maxRedirects ? regionFor(options.type, error) : undefined
        if (next === undefined || next === askedIn) throw failureOf(error, asked())
        region = next
      }
    }
  }

  return {
    ...listsOf(ask),
    requests: transport.requests,
    close() {
      for (const client of clients.values()) client.destroy()
      transport.destroy()
    },
  }
}
export type StoreClient = ReturnType<typeof newClient>

type Ask = <T>(command: () => Command, take: Take<T>, options: Options) => Promise<T>

/** Requests to a store: lists, a page at a time, and parts of objects. */
const listsOf = (ask: Ask) => ({
  /** A page of a bucket's keys. */
  listObjects: <T>(input: ListObjectsV2CommandInput & { Bucket: string }, read: Reader<T>, signal: AbortSignal) =>
    ask(() => new ListObjectsV2Command(input), reading(read), { bucket: input.Bucket, signal }),
  /** A page of a bucket's keys, by the first version of the request. */
  listObjectsByMarker: <T>(input: ListObjectsCommandInput & { Bucket: string }, read: Reader<T>, signal: AbortSignal) =>
    ask(() => new ListObjectsCommand(input), reading(read), { bucket: input.Bucket, signal }),
  /** A page of all versions of a bucket's keys. */
  listVersions: <T>(input: ListObjectVersionsCommandInput & { Bucket: string }, read: Reader<T>, signal: AbortSignal) =>
    ask(() => new ListObjectVersionsCommand(input), reading(read), {
      bucket: input.Bucket,
      what: rights.versions,
      signal,
    }),
  /** A page of a bucket's unfinished uploads. */
  listUploads: <T>(
    input: ListMultipartUploadsCommandInput & { Bucket: string },
    read: Reader<T>,
    signal: AbortSignal,
  ) =>
    ask(() => new ListMultipartUploadsCommand(input), reading(read), {
      bucket: input.Bucket,
      what: rights.uploads,
      signal,
    }),
  /** A page of the parts of an upload. */
  listParts: <T>(input: ListPartsCommandInput & { Bucket: string }, read: Reader<T>, signal: AbortSignal) =>
    ask(() => new ListPartsCommand(input), reading(read), { bucket: input.Bucket, what: rights.parts, signal }),
  /** A page of the buckets. */
  listBuckets: <T>(input: ListBucketsCommandInput, read: Reader<T>, signal: AbortSignal) =>
    ask(() => new ListBucketsCommand(input), reading(read), { signal }),
  /** An object, or the requested range of it. */
  getObject: (input: GetObjectCommandInput & { Bucket: string }, signal: AbortSignal): Promise<Answer> =>
    ask(
      () => new GetObjectCommand(input),
      (answer) => answer,
      { bucket: input.Bucket, what: rights.objects, signal },
    ),
})

const rights = {
  versions: { does: 'list the versions in', right: 's3:ListBucketVersions' },
  uploads: { does: 'list the unfinished uploads in', right: 's3:ListBucketMultipartUploads' },
  parts: { does: 'list the parts of uploads in', right: 's3:ListMultipartUploadParts' },
  objects: { does: 'read objects of', right: 's3:GetObject' },
}

/** A client of the SDK, which has the keys and signs. */
export function sdkClient(options: StoreOptions, region: string, transport: ReturnType<typeof newTransport>): S3Client {
  const { requesterPays = false } = options
  const endpoint = endpointOf(options, region)
  const client = new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    forcePathStyle: options.type !== 'S3',
    ...keysOf(options),
    requestHandler: transport,
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // Nothing of the machine's own settings for Amazon changes where requests go.
    ignoreConfiguredEndpointUrls: true,
    defaultsMode: 'standard',
    retryMode: 'standard',
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    useArnRegion: false,
    disableS3ExpressSessionAuth: true,
  })
  if (!requesterPays) return client
  client.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> }
      headers['x-amz-request-payer'] = 'requester'
      return next(args)
    },
    { step: 'build', name: 'payForRequests' },
  )
  return client
}

/** Without keys the SDK finds those of the machine's role: in its environment, AWS files, container or instance. */
function keysOf({ usesRole, accessKey, secretKey, sessionToken }: StoreOptions) {
  if (usesRole) return {}
  return { credentials: { accessKeyId: accessKey, secretAccessKey: secretKey, ...(sessionToken && { sessionToken }) } }
}

type Command =
  | GetObjectCommand
  | ListObjectsCommand
  | ListObjectsV2Command
  | ListBucketsCommand
  | ListObjectVersionsCommand
  | ListMultipartUploadsCommand
  | ListPartsCommand
type Sending = { signal: AbortSignal; sentTo: (host: string) => void }

/** Sends a command, and takes the answer away before the SDK reads it. */
async function answerOf(client: S3Client, command: Command, { signal, sentTo }: Sending): Promise<Answer> {
  let taken: Answer | undefined
  // The commands differ in the answers that they read, and here they read none.
  const any = command as ListObjectsV2Command
  any.middlewareStack.add(
    (next) => async (args) => {
      sentTo((args.request as { hostname: string }).hostname)
      const result = await next(args)
      taken = result.response as Answer
      const body = command instanceof GetObjectCommand ? Readable.from([nothing]) : nothing
      return { ...result, response: { ...taken, statusCode: 200, body } }
    },
    { step: 'deserialize', priority: 'low', name: 'takeAnswer' },
  )
  await client.send(any, { abortSignal: signal })
  if (taken === undefined) throw new Error('The SDK sent nothing')
  return taken
}
const nothing = Buffer.from('<Nothing/>')

const reading =
  <T>(read: Reader<T>): Take<T> =>
  (answer) =>
    readAnswer(answer, read)

function readAnswer<T>(answer: Answer, read: Reader<T>): T {
  const xml = textOf(answer)
  try {
    return read(xml)
  } catch (error) {
    if (!(error instanceof NotXml)) throw error
    // Some stores begin an answer as a success, then report an error in it.
    if (isHtml(xml, answer.headers) || /<Error[\s>]/.test(xml.slice(0, 1_000))) throw new StoreRefusal(answer)
    throw error
  }
}

/**
 * The region to which a store redirects a request. It is one of the same provider, as endpoints are made of regions. For a Custom S3 the
 * request is repeated at the same address, signed for the region that it names.
 */
function regionFor(type: S3Type, error: unknown): string | undefined {
  if (!(error instanceof StoreRefusal) || ![301, 307, 400].includes(error.statusCode)) return undefined
  const ofHost = providers[type].regionOfHost?.exec(error.host)?.[1]
  const region = error.region || ofHost
  return region !== undefined && isRegion(region) ? region : undefined
}

/** Waits until a request may start, to limit the number of requests per second. */
function newPace(requestsPerSecond = Infinity) {
  let free = 0
  return async (signal: AbortSignal) => {
    const now = performance.now()
    const at = Math.max(now, free)
    free = at + 1_000 / requestsPerSecond
    if (at > now) await wait(at - now, undefined, { signal })
  }
}
