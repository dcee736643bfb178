import {
  type BlobItem,
  BlobServiceClient,
  type RequestPolicy,
  StorageResponseFormat,
  type WebResource,
} from '@azure/storage-blob'
import { Readable } from 'node:stream'
import { type Answer, textOf } from '../http/answer.ts'
import { addressFault } from '../http/addresses.ts'
import { ForeignAnswer } from '../http/refusal.ts'
import { TooLong } from '#events/node/jsonMeter.ts'
import { type AnswerLimits, newTransport, type Transport, type TransportOptions } from '../http/transport.ts'
import { atField, ScanFailed } from '../system.ts'
import { AzureRefusal, failureOf, PageTooLong, type RequestContext } from './failures.ts'

/** Most blobs, and containers, that Azure gives in a page. */
export const ofPage = 5_000
/** Bytes of a page. One of 5,000 blobs with the longest names and metadata has more: then a page of fewer is requested. */
const maxBytes = 16 * 1024 * 1024
/** Blobs of such a page: names of 1,024 characters, each written as %XX%XX%XX, 8 kB of metadata and all properties are 20 kB. */
const ofShortPage = 500
/** Tags and attributes of a page: a blob has up to 40 properties, and metadata. */
const maxTags = 600_000
const maxAttributes = 20_000
/** Characters between two tags. The SDK reads them one by one, and a text of 15 MB takes 2 GB. */
const maxTextLength = 64 * 1024

/**
 * A page of a container's blobs: all that begin with the prefix, or by level. The marker is the end of the page before. `old`: also snapshots and
 * soft-deleted blobs, and versions if requested; Azure doesn't list them by level.
 */
type Listing = {
  prefix: string
  byLevel: boolean
  marker: string | undefined
  blobs: number
  old?: 'versions' | 'snapshots'
}

export type ListedPage = { blobs: BlobItem[]; folders: string[]; marker: string | undefined }

/**
 * Sends requests to an account. The SDK reads the connection string, signs, and reads answers; requests use our transport and are not
 * retried here. Each call throws `StoreBusy` or `ScanFailed`, with a message for users that contains nothing of the connection string but
 * names of accounts and hosts. Throws `ScanFailed` for an invalid connection string, or one with a refused address.
 */
export function newClient(connectionString: string, options: TransportOptions = {}) {
  const transport = newTransport({ maxBytes, ...options })
  const service = serviceOf(connectionString, httpClientOf(transport))
  const { hostname } = new URL(service.url)
  const account = service.accountName || hostname
  const keys = keysIn(connectionString)
  let hasAnswered = false

  async function ask<T>(
    question: () => Promise<IteratorResult<T>>,
    container: string | undefined,
    signal: AbortSignal,
    isOfBlob = false,
  ) {
    try {
      const { value } = await question()
      hasAnswered = true
      return value as T
    } catch (error) {
      signal.throwIfAborted()
      const context: RequestContext = {
        account,
        host: hostname,
        hasAnswered,
        isOfBlob,
        ...keys,
        ...(container && { container }),
      }
      hasAnswered ||= error instanceof AzureRefusal && error.isOfAzure
      throw failureOf(error, context)
    }
  }

  return {
    /** A page of a container's blobs; by level, of those without a '/' behind the prefix, and of the folders. */
    listBlobs: (container: string, listing: Listing, abortSignal: AbortSignal): Promise<ListedPage> =>
      pageOf(service, ask, { container, listing, abortSignal }).catch((error: unknown) => {
        if (!(error instanceof PageTooLong) || listing.blobs <= ofShortPage) throw error
        return pageOf(service, ask, { container, listing: { ...listing, blobs: ofShortPage }, abortSignal })
      }),
    /** A page of the containers' names. */
    async listContainers(marker: string | undefined, abortSignal: AbortSignal) {
      const paging = { maxPageSize: ofPage, ...(marker === undefined ? {} : { continuationToken: marker }) }
      const page = () => service.listContainers({ abortSignal }).byPage(paging).next()
      const { containerItems, continuationToken } = await ask(page, undefined, abortSignal)
      return { names: containerItems.map(({ name }) => name), marker: continuationToken || undefined }
    },
    /** Bytes of a blob from `start` on; `ifMatch` is the eTag that it must have. */
    getBlob: (range: BlobRange, signal: AbortSignal): Promise<Answer> =>
      ask(() => download(transport, connectionString, range, signal), range.container, signal, true),
    server: hostname,
    requests: transport.requests,
    close: transport.destroy,
  }
}

type BlobRange = { container: string; name: string; start: number; length: number; ifMatch?: string | undefined }

async function download(
  transport: Transport,
  connectionString: string,
  { container, name, start, length, ifMatch }: BlobRange,
  abortSignal: AbortSignal,
): Promise<IteratorYieldResult<Answer>> {
  let value: Answer | undefined
  const taking = serviceOf(
    connectionString,
    blobClientOf(transport, (answer) => (value = answer)),
  )
  const conditions = ifMatch === undefined ? {} : { ifMatch }
  await taking.getContainerClient(container).getBlobClient(name).download(start, length, { abortSignal, conditions })
  if (!value) throw new Error('The SDK sent nothing')
  return { value }
}

type Ask = <T>(
  question: () => Promise<IteratorResult<T>>,
  container: string | undefined,
  signal: AbortSignal,
) => Promise<T>
type PageRequest = { container: string; listing: Listing; abortSignal: AbortSignal }

async function pageOf(
  service: BlobServiceClient,
  ask: Ask,
  { container, listing, abortSignal }: PageRequest,
): Promise<ListedPage> {
  const { prefix, byLevel, marker, blobs, old } = listing
  const client = service.getContainerClient(container)
  const paging = { maxPageSize: blobs, ...(marker === undefined ? {} : { continuationToken: marker }) }
  const listOptions = { abortSignal, prefix, includeMetadata: true, responseFormat: StorageResponseFormat.Xml }
  if (!byLevel) {
    const included = old && { includeDeleted: true, includeSnapshots: true, includeVersions: old === 'versions' }
    const page = () =>
      client
        .listBlobsFlat({ ...listOptions, ...included })
        .byPage(paging)
        .next()
    const { segment, continuationToken } = await ask(page, container, abortSignal)
    return { blobs: segment.blobItems, folders: [], marker: continuationToken || undefined }
  }
  const page = () => client.listBlobsByHierarchy('/', listOptions).byPage(paging).next()
  const { segment, continuationToken } = await ask(page, container, abortSignal)
  const folders = (segment.blobPrefixes ?? []).map(({ name }) => name)
  return { blobs: segment.blobItems, folders, marker: continuationToken || undefined }
}

/** Refuses what would lead to another host than people see in the connection string. */
function serviceOf(connectionString: string, httpClient: RequestPolicy): BlobServiceClient {
  const service = readConnectionString(connectionString, httpClient)
  const { origin, pathname, username, password, hostname } = new URL(service.url)
  const isTyped = /(^|;)\s*(BlobEndpoint|UseDevelopmentStorage)\s*=/.test(connectionString)
  if (!isTyped && !/^[a-z0-9-]+$/i.test(service.accountName))
    throw atField(new ScanFailed('The AccountName of the connection string is not an account name'), 'credentials')
  const fault = username || password ? 'must not hold a user name or a password' : addressFault(origin + pathname)
  if (fault)
    throw atField(
      new ScanFailed(`The ${isTyped ? 'BlobEndpoint' : `host ${hostname}`} of the connection string ${fault}`),
      'credentials',
    )
  return service
}

const whatItHolds =
  'it holds DefaultEndpointsProtocol, AccountName, AccountKey and EndpointSuffix, or BlobEndpoint and SharedAccessSignature'

/** Errors of the SDK may contain the string itself, so only the name of the missing part is taken from them. */
function readConnectionString(connectionString: string, httpClient: RequestPolicy): BlobServiceClient {
  try {
    return BlobServiceClient.fromConnectionString(connectionString.trim(), {
      httpClient,
      retryOptions: { maxTries: 1 },
    })
  } catch (error) {
    const part = /^Invalid ([A-Za-z]+) in the provided/.exec((error as Error).message)?.[1]
    const reason = part === undefined ? '' : `, for its ${part} is missing or wrong`
    throw atField(new ScanFailed(`This is not an Azure connection string${reason}: ${whatItHolds}`), 'credentials')
  }
}

/** Keys that sign requests. No message may contain them. */
function keysIn(connectionString: string): {
  signsBy: 'account key' | 'shared access signature (SAS)'
  secrets: string[]
} {
  const secrets = [...connectionString.matchAll(/(?:AccountKey|SharedAccessSignature)\s*=\s*\??([^;\s]+)/g)]
  const signatures = [...connectionString.matchAll(/\bsig=([^&;\s]+)/g)]
  const signsBy = /AccountKey\s*=|UseDevelopmentStorage/.test(connectionString)
    ? 'account key'
    : 'shared access signature (SAS)'
  return { signsBy, secrets: [connectionString, ...[...secrets, ...signatures].map(([, secret = '']) => secret)] }
}

/** Sends the SDK's requests. Throws for an answer that is not a list, because the SDK would read it as an empty one or fail to read it. */
const httpClientOf = (transport: Transport): RequestPolicy => ({
  sendRequest: async (request) => answered(request, await send(transport, request, [200])),
})

/** Takes the bytes of a blob away before the SDK reads them: it gets a stream that never ends, since it would repeat the request for a shorter one. */
const blobClientOf = (transport: Transport, take: (answer: Answer) => void): RequestPolicy => ({
  async sendRequest(request) {
    // The first bytes of a part of a blob may look like those of JSON.
    const answer = await send(transport, request, [200, 206], { json: null })
    take(answer)
    const { statusCode: status } = answer
    return { request, status, headers: headersOf(request, answer), readableStreamBody: new Readable({ read() {} }) }
  },
})

/** Throws for another status than these. */
async function send(
  transport: Transport,
  request: WebResource,
  statuses: readonly number[],
  limits: AnswerLimits = {},
): Promise<Answer> {
  const { protocol, hostname, port, pathname, search } = new URL(request.url)
  const { response } = await transport.handle(
    {
      protocol,
      hostname,
      port: port === '' ? undefined : Number(port),
      method: request.method,
      path: pathname + search,
      headers: request.headers.toJson({ preserveCase: true }),
    },
    { ...limits, ...(request.abortSignal && { abortSignal: request.abortSignal as AbortSignal }) },
  )
  if (!statuses.includes(response.statusCode)) throw new AzureRefusal(response)
  return response
}

function headersOf(request: WebResource, answer: Answer): WebResource['headers'] {
  const headers = request.headers.clone()
  for (const name of headers.headerNames()) headers.remove(name)
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, value)
  return headers
}

function answered(request: WebResource, response: Answer): Awaited<ReturnType<RequestPolicy['sendRequest']>> {
  const bodyAsText = textOf(response)
  checkLength(bodyAsText)
  if (!/^\ufeff?\s*(<\?xml[^>]*\?>)?\s*<EnumerationResults[\s>][^]*<\/EnumerationResults>\s*$/.test(bodyAsText))
    throw new ForeignAnswer(response)
  const headers = headersOf(request, response)
  // The SDK reads what calls itself so.
  headers.set('content-type', 'application/xml')
  return { request, status: response.statusCode, headers, bodyAsText: withNames(bodyAsText) }
}

/** Throws `TooLong` for a page that the SDK would read for seconds, during which the agent does nothing else. */
function checkLength(xml: string): void {
  if (countOf(xml, '<', maxTags) > maxTags) throw new TooLong(`More than ${maxTags} tags`)
  if (countOf(xml, '="', maxAttributes) + countOf(xml, "='", maxAttributes) > maxAttributes)
    throw new TooLong(`More than ${maxAttributes} attributes`)
  for (let from = 0, at = 0; at >= 0; from = at + 1) {
    at = xml.indexOf('<', from)
    if ((at < 0 ? xml.length : at) - from > maxTextLength)
      throw new TooLong(`More than ${maxTextLength} characters in a field`)
  }
  const items =
    countOf(xml, '<Blob>', ofPage) + countOf(xml, '<BlobPrefix>', ofPage) + countOf(xml, '<Container>', ofPage)
  if (items > ofPage) throw new TooLong(`More than ${ofPage} entries`)
}

/** Number of times that a text occurs, counted up to one more than the maximum. */
function countOf(text: string, part: string, max: number): number {
  let count = 0
  for (let at = text.indexOf(part); at >= 0 && count <= max; at = text.indexOf(part, at + part.length)) count++
  return count
}

/** Gives an empty name to blobs without one: the SDK would fail to read the whole page. */
const withNames = (xml: string): string =>
  /<Blob>\s*<(?!Name[\s/>])/.test(xml)
    ? xml
        .split('<Blob>')
        .map((blob, i) => (i === 0 || /<Name[\s/>]/.test(blob.split('</Blob>', 1)[0] ?? '') ? blob : `<Name/>${blob}`))
        .join('<Blob>')
    : xml
