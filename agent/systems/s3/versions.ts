import { type ListingGuard, newListingGuard } from '../listingGuard.ts'
import type { VersionCounts } from '#events/scans/lifecycle.ts'
import { sizeIn } from '../objectEntry.ts'
import type { OddRecords } from '../oddRecords.ts'
import { inParallel } from '../inParallel.ts'
import { type CountedVersions, messageOf, type RunRequest, ScanFailed, StoreBusy } from '../system.ts'
import type { StoreClient } from './client.ts'
import { StoreRefused } from './failures.ts'
import { decodeKey, type Spelling } from './listing/keys.ts'
import { NotXml, readXml } from './readXml.ts'

/** Uploads whose parts are listed side by side, as far as `run` lets requests start. */
const uploadsAtOnce = 64

/**
 * A bucket, the prefix to count in, the spelling of its keys, the counter of records without a size, which add no bytes, and the limit of
 * pages in a row that have nothing new.
 */
type BucketOptions = { bucket: string; prefix: string; spelling: Spelling; odd: OddRecords; idlePages?: number }

/** Counts the old versions and unfinished uploads of a bucket, all of it. Throws the signal's reason when that is aborted. */
export async function countVersions(
  client: StoreClient,
  bucket: BucketOptions,
  { run, signal }: Running,
): Promise<CountedVersions> {
  const counts = { noncurrent: { count: 0, bytes: 0 }, deleteMarkers: 0, incomplete: { count: 0, bytes: 0 } }
  try {
    await addVersions(client, bucket, { counts, run, signal })
    await addUploads(client, bucket, { counts, run, signal })
    return { versions: counts }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ScanFailed || error instanceof StoreBusy)) throw error
    return { versionsFailure: messageOf(error) }
  }
}

type Running = { run: RunRequest; signal: AbortSignal }
type Counting = Running & { counts: VersionCounts }

async function addVersions(
  client: StoreClient,
  options: BucketOptions,
  { counts, run, signal }: Counting,
): Promise<void> {
  const { bucket, prefix } = options
  const guard = newListingGuard(() => endless('versions'), options)
  for (let at: Markers | undefined = {}; at;) {
    const markers: Markers = at
    const input = {
      Bucket: bucket,
      EncodingType: 'url' as const,
      ...(prefix === '' ? {} : { Prefix: prefix }),
      ...(markers.key === undefined ? {} : { KeyMarker: markers.key }),
      ...(markers.id === undefined ? {} : { VersionIdMarker: markers.id }),
    }
    const page = await run(() => client.listVersions(input, (xml) => readVersions(xml, options), signal))
    counts.noncurrent.bytes += page.noncurrent.bytes
    counts.deleteMarkers += page.deleteMarkers
    const { count } = page.noncurrent
    counts.noncurrent.count += count
    at = after(page.next, 'versions', guard)
  }
}

async function addUploads(
  client: StoreClient,
  options: BucketOptions,
  { counts, run, signal }: Counting,
): Promise<void> {
  const { bucket, prefix } = options
  const guard = newListingGuard(() => endless('uploads'), options)
  for (let at: Markers | undefined = {}; at;) {
    const markers: Markers = at
    const input = {
      Bucket: bucket,
      EncodingType: 'url' as const,
      ...(prefix === '' ? {} : { Prefix: prefix }),
      ...(markers.key === undefined ? {} : { KeyMarker: markers.key }),
      ...(markers.id === undefined ? {} : { UploadIdMarker: markers.id }),
    }
    const page = await run(() => client.listUploads(input, (xml) => readUploads(xml, options), signal))
    await inParallel(page.uploads, uploadsAtOnce, async (upload) => {
      const size = await sizeOfUpload(client, { ...options, ...upload }, { run, signal })
      counts.incomplete.count += size === undefined ? 0 : 1
      counts.incomplete.bytes += size ?? 0
    })
    at = after(page.next, 'uploads', guard)
  }
}

type Upload = { key: string; id: string }

/** The bytes that were uploaded so far; undefined for an upload that was finished or aborted meanwhile. */
async function sizeOfUpload(
  client: StoreClient,
  { key, id, ...options }: Upload & BucketOptions,
  { run, signal }: Running,
): Promise<number | undefined> {
  const guard = newListingGuard(() => endless('parts of an upload'))
  let bytes = 0
  let after = ''
  for (;;) {
    const input = {
      Bucket: options.bucket,
      Key: key,
      UploadId: id,
      ...(after === '' ? {} : { PartNumberMarker: after }),
    }
    try {
      const page = await run(() => client.listParts(input, (xml) => readParts(xml, options), signal))
      bytes += page.bytes
      if (!page.isTruncated) return bytes
      if (page.next === '') throw endless('parts of an upload')
      if (!(Number(page.next) > Number(after))) throw endless('parts of an upload')
      guard.page(page.bytes > 0)
      after = page.next
    } catch (error) {
      if (error instanceof StoreRefused && error.refusal === 'NoSuchUpload') return undefined
      throw error
    }
  }
}

/** Place at which a list continues: after this key, and after this version or upload of it. */
type Markers = { key?: string; id?: string }

function after(next: Markers | undefined, what: string, guard: ListingGuard): Markers | undefined {
  if (next && next.key === undefined) throw endless(what)
  // Several pages of one key are rare, and keys of some stores are in an order of their own: pages without a later key have a limit.
  if (next) {
    guard.place(JSON.stringify(next))
    guard.pageUpTo(next.key ?? '')
  }
  return next
}

const endless = (what: string) => new ScanFailed(`The store says that there are more ${what}, but not where`)

type CountedPage = (parent: string, name: string, text: string) => void
type List = { isTruncated: boolean; next: Markers | undefined; facts: ReadonlyMap<string, string> }

type ListReader = { take: CountedPage; end?: (item: string) => void; spelling: Spelling }

/** Reads a list in one pass: values of its items go to `take`, and `end` is called after each item. */
function readList(xml: string, root: string, { take, end = () => {}, spelling }: ListReader): List {
  const facts = new Map<string, string>()
  const parents: string[] = []
  readXml(xml, {
    open(name, depth) {
      parents[depth] = name
      if (depth === 1 && name !== root) throw new NotXml(`<${name}> is no ${root}`)
    },
    close(name, text, depth) {
      if (depth === 3) take(parents[2] ?? '', name, text)
      if (depth === 2) {
        facts.set(name, text)
        end(name)
      }
    },
  })
  const isTruncated = facts.get('IsTruncated')?.trim() === 'true'
  const id = facts.get('NextVersionIdMarker') || facts.get('NextUploadIdMarker')
  const key = facts.get('NextKeyMarker')
  const next = { ...(key ? { key: keyOf(key, facts, spelling) } : {}), ...(id ? { id } : {}) }
  return { isTruncated, next: isTruncated ? next : undefined, facts }
}

/** A key in the form that requests need. Throws `ScanFailed` for one that is not UTF-8. */
function keyOf(raw: string, facts: ReadonlyMap<string, string>, { plus }: Spelling): string {
  if (facts.get('EncodingType')?.trim() !== 'url') return raw
  return decodeKey(raw, plus, () => {
    throw new ScanFailed("The bucket has a key that is not UTF-8, and the list can't continue after it")
  })
}

function bytesIn(text: string, odd: OddRecords): number {
  const size = sizeIn(text)
  if (size === undefined) odd.add('noSize')
  return size ?? 0
}

/** Reads the answer to ListObjectVersions: what of it is not current. Throws `NotXml`. */
function readVersions(xml: string, { spelling, odd }: BucketOptions) {
  const noncurrent = { count: 0, bytes: 0 }
  let found = 0
  let deleteMarkers = 0
  let version = { size: '', isLatest: '' }
  const take: CountedPage = (_, name, text) => {
    if (name === 'Size') version.size = text
    else if (name === 'IsLatest') version.isLatest = text.trim()
  }
  const end = (item: string) => {
    if (item === 'Version' || item === 'DeleteMarker') found++
    if (item === 'DeleteMarker') deleteMarkers++
    if (item === 'Version' && version.isLatest !== 'true') {
      noncurrent.count++
      noncurrent.bytes += bytesIn(version.size, odd)
    }
    version = { size: '', isLatest: '' }
  }
  const { next } = readList(xml, 'ListVersionsResult', { take, end, spelling })
  return { noncurrent, deleteMarkers, found, next }
}

/** Reads the answer to ListMultipartUploads. Throws `NotXml`. */
function readUploads(xml: string, { spelling }: BucketOptions): { uploads: Upload[]; next: Markers | undefined } {
  const found: Upload[] = []
  let upload = { key: '', id: '' }
  const take: CountedPage = (_, name, text) => {
    if (name === 'Key') upload.key = text
    else if (name === 'UploadId') upload.id = text
  }
  const end = (item: string) => {
    if (item === 'Upload') found.push(upload)
    upload = { key: '', id: '' }
  }
  const { next, facts } = readList(xml, 'ListMultipartUploadsResult', { take, end, spelling })
  return { uploads: found.map(({ key, id }) => ({ key: keyOf(key, facts, spelling), id })), next }
}

/** Reads the answer to ListParts. Throws `NotXml`. */
function readParts(
  xml: string,
  { spelling, odd }: BucketOptions,
): { bytes: number; isTruncated: boolean; next: string } {
  let bytes = 0
  const take: CountedPage = (parent, name, text) => {
    if (parent === 'Part' && name === 'Size') bytes += bytesIn(text, odd)
  }
  const { isTruncated, facts } = readList(xml, 'ListPartsResult', { take, spelling })
  return { bytes, isTruncated, next: facts.get('NextPartNumberMarker')?.trim() ?? '' }
}
