import { maxBuckets } from '#events/sources/bucketQuestion.ts'
import { newListingGuard } from '../listingGuard.ts'
import type { TransportOptions } from '../http/transport.ts'
import { newOddRecords } from '../oddRecords.ts'
import { type OpenedStore, ScanFailed } from '../system.ts'
import { newClient, type StoreClient, type StoreOptions } from './client.ts'
import { checkBucket, serverOf } from './endpoints.ts'
import { openInventory } from './inventory/index.ts'
import { BucketListing } from './listing/index.ts'
import { readBuckets } from './readBuckets.ts'
import { countVersions } from './versions.ts'

/** A bucket of a store, and what of it is scanned: all keys that begin with `prefix`, '' being all. */
export type BucketOptions = StoreOptions & {
  bucket: string
  prefix: string
  /** Prefix of the versions and uploads to count; all by default. */
  counted?: string
  /** Location of the inventory that is read instead of listing, such as `s3://reports/inventory/films/daily`. */
  inventory?: string | undefined
}

type OpenedBucket = OpenedStore & Required<Pick<OpenedStore, 'versions'>>

/**
 * A bucket of a store that speaks S3, open until it is closed. `endpoint` is the URL of a Custom S3 (type OTHER) and of nothing else,
 * `namespace` is Oracle's; a Custom S3 needs no region. Sends no requests before the first page. `check` and pages throw `ScanFailed` for
 * errors that users have to correct, and `StoreBusy` for those that may pass; neither contains a key. Throws `ScanFailed` for an invalid
 * region, URL, namespace or bucket name.
 */
export function openS3(options: BucketOptions, transport: TransportOptions = {}): OpenedBucket {
  checkBucket(options)
  const client = newClient(options, transport)
  const odd = newOddRecords()
  const { type, bucket, prefix } = options
  const inventory = options.inventory
    ? openInventory(client, { address: options.inventory, bucket, prefix, odd })
    : undefined
  const listing = new BucketListing(client, {
    bucket,
    prefix,
    odd,
    isAmazon: type === 'S3',
    isUnknown: type === 'OTHER',
  })
  return {
    server: serverOf(options),
    page: (part, options) => (inventory ?? listing).page(part, options),
    check: (signal) => (inventory ?? listing).check(signal),
    ...(inventory && { takenAt: inventory.takenAt }),
    versions: (running) =>
      countVersions(client, { bucket, prefix: options.counted ?? '', spelling: listing.spelling(), odd }, running),
    note: odd.note,
    oddRecords: odd.total,
    requests: client.requests,
    close() {
      inventory?.close()
      client.close()
    },
  }
}

/** Maximum number of buckets in a page of them. */
const bucketsOfPage = 1_000
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
  const inRegion = type === 'S3' ? { MaxBuckets: bucketsOfPage, BucketRegion: region } : {}
  const guard = newListingGuard((reason) => new ScanFailed(`The store does not list its buckets: ${reason}`), {
    pages: maxPages,
  })
  let token: string | undefined
  for (;;) {
    const more = token === undefined ? {} : { ContinuationToken: token }
    const page = await client.listBuckets({ ...inRegion, ...more }, readBuckets, signal)
    for (const name of page.names) names.push(name)
    if (names.length > maxBuckets) throw new ScanFailed(`The store lists more than ${maxBuckets} buckets`)
    guard.pageUpTo(page.names.toSorted().at(-1) ?? '')
    if (page.token === undefined) break
    guard.place((token = page.token))
  }
  return names.sort()
}
