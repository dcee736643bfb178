import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { requestsOf } from '../testing/requestsOf.ts'
import { orderOf } from '../testing/walked.ts'
import { walkPages } from '../scan/pages/walkPages.ts'
import { account, accountKey } from './azure/testing.ts'
import { containerNames, openAzure } from './azure/index.ts'
import { newListingGuard } from './listingGuard.ts'
import { objectEntry } from './objectEntry.ts'
import { newClient } from './s3/client.ts'
import { bucketNames, openS3 } from './s3/index.ts'
import { newestManifest } from './s3/inventory/manifest.ts'
import { countVersions } from './s3/versions.ts'
import { newOddRecords } from './oddRecords.ts'
import { type Page, ScanFailed } from './system.ts'
import { atOnce, forever, keysOf } from './testing.ts'

/** Lists a store to its end; returns the number of requests that were made of it, and the error. */
async function walked(pageOf: (part: string, n: number) => Partial<Page>) {
  let requests = 0
  const system = {
    page: async (part: string) => ({ entries: [], rest: [], ...pageOf(part, ++requests) }),
    requests: () => requests,
  }
  const listener = { batch: async () => {}, unreadable: () => {}, progressed: () => {} }
  const nextPage = async () => ({ pending: [], morePending: 0 })
  const options = { listener, nextPage, requests: requestsOf(system), signal: forever }
  const ended = walkPages(orderOf('', { pending: [''] }), system, options)
  const error: unknown = await ended.then(() => undefined).catch((error: unknown) => error)
  return { error, requests }
}
const object = (key: string) => objectEntry({ key, size: 1, modified: 1 })

test.each<[string, number, (part: string, n: number) => Partial<Page>]>([
  ['the same place', 3, () => ({ rest: ['same'] })],
  ['two places in turn', 4, (part) => ({ rest: [part === 'a' ? 'b' : 'a'] })],
  ['the same entries at new places', 4, (_, n) => ({ entries: [object('a'), object('b')], rest: [`token ${n}`] })],
  ['two pages of entries in turn', 5, (_, n) => ({ entries: [object(`a ${n % 2}`)], rest: [`token ${n}`] })],
  ['empty pages at new places', 10_010, (_, n) => ({ rest: [`token ${n}`] })],
  [
    'folders in folders without an end',
    10_010,
    (part) => ({ rest: [`${part.slice(-900)}/a${part.length}`, `${Math.random()}`] }),
  ],
])('a store that lists %s ends the scan after at most %i requests', async (_, most, pageOf) => {
  const { error, requests } = await walked(pageOf)
  expect(error).toBeInstanceOf(ScanFailed)
  expect((error as Error).message).toMatch(/^The storage can't be listed to its end: /)
  // Requests at the same time are on their way when the reason is found.
  expect(requests).toBeLessThanOrEqual(most + 8)
})

test('pages of deleted objects and many pages do not end the listing', async () => {
  const deleted = (_: string, n: number) => ({
    entries: n % 5_000 === 0 ? [object(`${n}`)] : [],
    rest: n < 20_000 ? [`token ${n}`] : [],
  })
  expect((await walked(deleted)).error).toBeUndefined()
})

test('a list has a limit of pages', () => {
  const guard = newListingGuard((reason) => new Error(reason), { pages: 3, idlePages: 1 })
  for (let page = 0; page < 3; page++) guard.page(true)
  expect(() => guard.page(true)).toThrow('more than 3 pages')
})

/** A server that answers each request with the text that `answer` gives for its address. */
async function answering(answer: (url: URL, n: number) => string) {
  let requests = 0
  const server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/xml', 'x-ms-request-id': '1' })
    response.end(answer(new URL(request.url ?? '', 'http://x'), ++requests))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, requests: () => requests }
}
const s3At = (endpoint: string) =>
  ({ type: 'OTHER', endpoint, region: '', accessKey: 'AKIA11', secretKey: 'secret/11=' }) as const
const turns = (n: number, count: number) => `token ${n % count}`

test.each([1, 2, 7])('lists of S3 that return to one of %i places end with the reason', async (count) => {
  const buckets = await answering(
    (_, n) =>
      `<ListAllMyBucketsResult><ContinuationToken>${turns(n, count)}</ContinuationToken></ListAllMyBucketsResult>`,
  )
  await expect(bucketNames(s3At(buckets.url), forever)).rejects.toThrow('continues at the same place again')
  const inventory = await answering(
    (_, n) =>
      `<ListBucketResult><KeyCount>0</KeyCount><IsTruncated>true</IsTruncated><NextContinuationToken>${turns(n, count)}</NextContinuationToken></ListBucketResult>`,
  )
  const client = newClient(s3At(inventory.url))
  onTestFinished(() => client.close())
  await expect(newestManifest(client, { bucket: 'b', folder: 'i' }, 'films', forever)).rejects.toThrow(
    'continues at the same place again',
  )
  const versions = await answering(
    (_, n) =>
      `<ListVersionsResult><IsTruncated>true</IsTruncated><NextKeyMarker>${turns(n, count)}</NextKeyMarker></ListVersionsResult>`,
  )
  const other = newClient(s3At(versions.url))
  onTestFinished(() => other.close())
  const bucket = { bucket: 'b', prefix: '', spelling: { plus: 'plus' } as never, odd: newOddRecords() }
  expect(await countVersions(other, bucket, atOnce)).toEqual({
    versionsFailure: expect.stringContaining('more versions, but not where'),
  })
  for (const server of [buckets, inventory, versions]) expect(server.requests()).toBeLessThanOrEqual(count + 1)
})

const stringOf = (url: string) =>
  `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${accountKey};BlobEndpoint=${url}/${account};`
const blobs = (list: string, marker = '') =>
  `<?xml version="1.0"?><EnumerationResults ServiceEndpoint="x" ContainerName="c"><Blobs>${list}</Blobs><NextMarker>${marker}</NextMarker></EnumerationResults>`

test('containers of Azure whose list returns to a place end with the reason', async () => {
  const server = await answering(
    (_, n) =>
      `<?xml version="1.0"?><EnumerationResults ServiceEndpoint="x"><Containers/><NextMarker>${turns(n, 3)}</NextMarker></EnumerationResults>`,
  )
  await expect(containerNames(stringOf(server.url), forever)).rejects.toThrow('continues at the same place again')
  expect(server.requests()).toBe(4)
})

const blob = '<Blob><Name>a</Name><Properties><Content-Length>1</Content-Length></Properties></Blob>'
test.each([
  ['2 million attributes', () => blobs(`<Blob ${'a="1" '.repeat(2_000_000)}><Name>a</Name></Blob>`)],
  ['60 MB of blobs', () => blobs(blob.repeat(700_000))],
  ['5,001 blobs', () => blobs(blob.repeat(5_001))],
  ['a million tags', () => blobs(`<Blob><Name>a</Name>${'<a/>'.repeat(1_000_000)}</Blob>`)],
])('a page of Azure with %s is refused with its reason, after a try with fewer blobs', async (_, page) => {
  const text = page()
  const asked: (string | null)[] = []
  const server = await answering((url) => {
    asked.push(url.searchParams.get('maxresults'))
    return text
  })
  const container = openAzure({ connectionString: stringOf(server.url), container: 'media', prefix: '' })
  onTestFinished(() => container.close())
  await expect(keysOf(container)).rejects.toThrow('sends a page that is too long to be a list of blobs')
  expect(asked).toEqual(['5000', '500'])
})

test('an account whose blobs have long names and metadata is listed in shorter pages', async () => {
  const long = (n: number) =>
    `<Blob><Name>${'x'.repeat(9_000)}${n}</Name><Properties><Content-Length>1</Content-Length></Properties></Blob>`
  const server = await answering((url) =>
    blobs(Array.from({ length: Number(url.searchParams.get('maxresults')) }, (_, n) => long(n)).join('')),
  )
  const container = openAzure({ connectionString: stringOf(server.url), container: 'media', prefix: '' })
  onTestFinished(() => container.close())
  expect(await keysOf(container, 0)).toHaveLength(500)
})

const key = '<Contents><Key>a</Key><Size>1</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>'
test.each([
  ['1,001 keys', key.repeat(1_001), 'too long to be a list of 1,000 keys'],
  [
    '1,001 folders',
    '<CommonPrefixes><Prefix>a/</Prefix></CommonPrefixes>'.repeat(1_001),
    'too long to be a list of 1,000 keys',
  ],
  ['a million tags', '<a/>'.repeat(1_000_000), 'more than 200,000 tags'],
  ['a million comments', '<!---->'.repeat(1_000_000), 'more than 200,000 tags'],
])('a page of S3 with %s is refused with its reason', async (_, list, reason) => {
  const server = await answering(
    () => `<ListBucketResult><KeyCount>1</KeyCount><IsTruncated>false</IsTruncated>${list}</ListBucketResult>`,
  )
  const bucket = openS3({ ...s3At(server.url), bucket: 'films', prefix: '' })
  onTestFinished(() => bucket.close())
  await expect(keysOf(bucket)).rejects.toThrow(reason)
})

const padded = (n: number) => String(n).padStart(9, '0')
const moments = Array.from({ length: 80 }, (_, i) => `i/20${String(10 + i)}-01-01T00-00Z/`)

test('inventories that are repeated at new places end with the reason, after 100 pages without a later one', async () => {
  const prefixes = moments.map((each) => `<CommonPrefixes><Prefix>${each}</Prefix></CommonPrefixes>`).join('')
  const server = await answering(
    (_, n) =>
      `<ListBucketResult><KeyCount>80</KeyCount><IsTruncated>true</IsTruncated><NextContinuationToken>t${n}</NextContinuationToken>${prefixes}</ListBucketResult>`,
  )
  const client = newClient(s3At(server.url))
  onTestFinished(() => client.close())
  await expect(newestManifest(client, { bucket: 'b', folder: 'i' }, 'films', forever)).rejects.toThrow(
    "The inventories below s3://b/i can't be listed: 100 pages in a row have nothing new",
  )
  expect(server.requests()).toBe(102)
})

/* The markers of a store that goes through the same keys again and again, each time at other versions. */
test.each([
  ['versions', 'ListVersionsResult', 'NextVersionIdMarker', '<Version><Key>a</Key><Size>1</Size></Version>'],
  ['uploads', 'ListMultipartUploadsResult', 'NextUploadIdMarker', ''],
])('%s whose places are never after the last one end with the reason', async (_, root, marker, item) => {
  const server = await answering((url, n) => {
    const isAsked = url.searchParams.has('uploads') === (root === 'ListMultipartUploadsResult')
    if (!isAsked) return `<ListVersionsResult><IsTruncated>false</IsTruncated></ListVersionsResult>`
    return `<${root}><IsTruncated>true</IsTruncated><NextKeyMarker>k${n % 7}</NextKeyMarker><${marker}>v${n}</${marker}>${item}</${root}>`
  })
  const client = newClient(s3At(server.url))
  onTestFinished(() => client.close())
  const bucket = { bucket: 'b', prefix: '', spelling: { plus: 'plus' } as never, odd: newOddRecords(), idlePages: 100 }
  expect(await countVersions(client, bucket, atOnce)).toHaveProperty('versionsFailure')
  expect(server.requests()).toBeLessThan(130)
})

test('parts of an upload whose numbers do not grow end with the reason', async () => {
  const server = await answering((url, n) => {
    if (url.searchParams.has('versions')) return '<ListVersionsResult></ListVersionsResult>'
    if (url.searchParams.has('uploads'))
      return '<ListMultipartUploadsResult><Upload><Key>a</Key><UploadId>u</UploadId></Upload></ListMultipartUploadsResult>'
    return `<ListPartsResult><IsTruncated>true</IsTruncated><NextPartNumberMarker>${10 - n}</NextPartNumberMarker><Part><Size>1</Size></Part></ListPartsResult>`
  })
  const client = newClient(s3At(server.url))
  onTestFinished(() => client.close())
  const bucket = { bucket: 'b', prefix: '', spelling: { plus: 'plus' } as never, odd: newOddRecords() }
  expect(await countVersions(client, bucket, atOnce)).toEqual({
    versionsFailure: expect.stringContaining('more parts of an upload, but not where'),
  })
  expect(server.requests()).toBeLessThan(6)
})

test('buckets may be 100,000', async () => {
  const names = (n: number) =>
    Array.from({ length: 9_000 }, (_, i) => `<Bucket><Name>${padded(n)}${padded(i)}</Name></Bucket>`)
  const server = await answering(
    (_, n) =>
      `<ListAllMyBucketsResult><Buckets>${names(n).join('')}</Buckets><ContinuationToken>t${n}</ContinuationToken></ListAllMyBucketsResult>`,
  )
  await expect(bucketNames(s3At(server.url), forever)).rejects.toThrow('The store lists more than 100000 buckets')
  expect(server.requests()).toBe(12)
})

test('a folder of 150,000 empty folders is listed', async () => {
  const folders = Array.from({ length: 150_000 }, (_, i) => `folder ${i}`)
  const listed = await walked((part) => ({ rest: part === '' ? folders : [] }))
  expect(listed).toEqual({ error: undefined, requests: 150_001 })
})
