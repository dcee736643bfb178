import type { TransportOptions } from '../http/transport.ts'
import { objectEntry } from '../objectEntry.ts'
import type { OpenedStore } from '../system.ts'
import { newClient, type StoreClient, type StoreOptions } from './client.ts'
import { checkBucket } from './endpoints.ts'
import { StoreRefused } from './failures.ts'
import { openInventory } from './inventory/index.ts'
import { type Part, type Question, questionOf, stepOf } from './listing.ts'
import { type ListedPage, readBuckets, readPage } from './readPage.ts'
import { countVersions } from './versions.ts'

/** A bucket of a store, and what of it is scanned: all keys that begin with `prefix`, '' being all. */
export type BucketOptions = StoreOptions & {
  bucket: string
  prefix: string
  /** Location of the inventory that is read instead of listing, such as `s3://reports/inventory/films/daily`. */
  inventory?: string | undefined
}

/** Maximum number of keys in a page; no store returns more. */
const keysOfPage = 1_000

type OpenedBucket = OpenedStore & Required<Pick<OpenedStore, 'versions'>>

/**
 * A bucket of a store that speaks S3, open until it is closed. `endpoint` is the URL of a Custom S3 (type OTHER) and of nothing else,
 * `namespace` is Oracle's; a Custom S3 needs no region. Sends no requests before the first page. `check` and pages throw `ScanFailed` for
 * errors that users have to correct, and `StoreBusy` for those that may pass; neither contains a key. Throws `ScanFailed` for an invalid
 * region, URL, namespace or bucket name.
 */
export function openS3(options: BucketOptions, transport: TransportOptions = {}): OpenedBucket {
  checkBucket(options.bucket)
  const client = newClient(options, transport)
  const inventory = options.inventory
    ? openInventory(client, { address: options.inventory, bucket: options.bucket, prefix: options.prefix })
    : undefined
  return {
    ...(inventory ?? listingOf(client, options)),
    versions: (signal) => countVersions(client, options.bucket, signal),
    requests: client.requests,
    close() {
      inventory?.close()
      client.close()
    },
  }
}

/** The bucket as the store lists it. */
function listingOf(client: StoreClient, options: BucketOptions): Pick<OpenedStore, 'page' | 'check'> {
  const list = (question: Question, signal: AbortSignal, keys = keysOfPage) =>
    client.listObjects(inputOf(options.bucket, question, keys), readPage, signal)
  return {
    async page(text, { idle, signal }) {
      const part: Part = text === '' ? { prefix: options.prefix } : JSON.parse(text)
      const question = questionOf(part, idle)
      const page = await listAgain(part, question, (question) => list(question, signal))
      const { objects, rest } = stepOf(part, question, page, idle)
      return { entries: objects.map(objectEntry), rest: rest.map((each) => JSON.stringify(each)) }
    },
    async check(signal) {
      await list({ prefix: options.prefix, byLevel: false, startAfter: undefined, token: undefined }, signal, 1)
    },
  }
}

/** A token of an attempt before may be worth nothing by now; the last key still is. */
async function listAgain(part: Part, question: Question, list: (question: Question) => Promise<ListedPage>) {
  try {
    return await list(question)
  } catch (error) {
    const isStale = error instanceof StoreRefused && /^Invalid(Argument|ContinuationToken|Token)$/.test(error.code)
    if (!isStale || question.token === undefined || part.after === undefined) throw error
    return await list({ ...question, token: undefined, startAfter: part.after })
  }
}

const inputOf = (bucket: string, { prefix, byLevel, startAfter, token }: Question, keys: number) => ({
  Bucket: bucket,
  MaxKeys: keys,
  EncodingType: 'url' as const,
  FetchOwner: !byLevel,
  ...(prefix === '' ? {} : { Prefix: prefix }),
  ...(byLevel ? { Delimiter: '/' } : {}),
  ...(token === undefined
    ? startAfter === undefined
      ? {}
      : { StartAfter: startAfter }
    : { ContinuationToken: token }),
})

/** Maximum number of pages of bucket names; more of them is an error of the store. */
const maxPages = 100

/**
 * The names of the buckets that these credentials may list, in order; of Amazon's those in the region. Throws `ScanFailed` or
 * `StoreBusy`, as pages of a bucket do.
 */
export async function bucketNames(
  options: StoreOptions,
  signal: AbortSignal,
  transport: TransportOptions = {},
): Promise<string[]> {
  const client = newClient(options, transport)
  try {
    return await allNames(options, client, signal)
  } finally {
    client.close()
  }
}

async function allNames({ type, region = '' }: StoreOptions, client: StoreClient, signal: AbortSignal) {
  const names: string[] = []
  const inRegion = type === 'S3' ? { MaxBuckets: keysOfPage, BucketRegion: region } : {}
  let token: string | undefined
  for (let pages = 0; pages < maxPages; pages++) {
    const more = token === undefined ? {} : { ContinuationToken: token }
    const page = await client.listBuckets({ ...inRegion, ...more }, readBuckets, signal)
    names.push(...page.names)
    if (page.token === undefined) break
    token = page.token
  }
  return names.sort()
}
