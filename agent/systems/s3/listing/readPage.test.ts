import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { NotXml } from '../readXml.ts'
import { readBuckets } from '../readBuckets.ts'
import { declaredSpelling, decodePage, type ListedPage } from './keys.ts'
import { contentOf, readPage as readRaw } from './readPage.ts'

function readPage(xml: string) {
  const page = readRaw(xml)
  return decodePage(page, declaredSpelling(page))
}

/** A page as the SDK's own reader returns it. */
async function bySdk(xml: string) {
  const answer = { statusCode: 200, headers: { 'content-type': 'application/xml' }, body: Buffer.from(xml) }
  const client = new S3Client({
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    requestHandler: { handle: async () => ({ response: answer }) },
    maxAttempts: 1,
  })
  const page = await client.send(new ListObjectsV2Command({ Bucket: 'media' }))
  return {
    objects: (page.Contents ?? []).map(({ Key, Size, LastModified, ETag, StorageClass, Owner }) => ({
      key: Key ?? '',
      size: Size ?? -1,
      modified: Math.floor((LastModified?.getTime() ?? 0) / 1_000),
      etag: contentOf(ETag ?? '', Size ?? -1),
      storageClass: StorageClass || 'STANDARD',
      ...ownedBy(Owner?.DisplayName || Owner?.ID),
    })),
    prefixes: (page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix ?? ''),
    isTruncated: page.IsTruncated ?? false,
    token: page.NextContinuationToken,
    isText: true,
    withoutKey: 0,
    nextMarker: undefined,
    isVersion1: false,
  } satisfies ListedPage
}

const ownedBy = (owner: string | undefined) => (owner ? { owner } : {})

const facts = '<LastModified>2026-03-01T10:20:30.900Z</LastModified><Size>7</Size>'
const object = (key: string, more = '') => `<Contents><Key>${key}</Key>${facts}${more}</Contents>`
const list = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inside}</ListBucketResult>`
const hash = '0123456789abcdef0123456789ABCDEF'

const pages: Record<string, string> = {
  'no key': list('<KeyCount>0</KeyCount><IsTruncated>false</IsTruncated>'),
  'all facts': list(
    `<IsTruncated>true</IsTruncated><NextContinuationToken>1+/=&amp;x</NextContinuationToken>` +
      object('a', `<ETag>&quot;${hash}&quot;</ETag><StorageClass>GLACIER_IR</StorageClass>`) +
      object('b', `<ETag>"${hash}-12"</ETag><Owner><ID>id</ID><DisplayName>Ana &amp; Bo</DisplayName></Owner>`) +
      object('c', '<Owner><ID>only an id</ID></Owner><StorageClass>OF_TOMORROW</StorageClass>') +
      object('d', '<Owner/><RestoreStatus><IsRestoreInProgress>false</IsRestoreInProgress></RestoreStatus>') +
      '<CommonPrefixes><Prefix>e/</Prefix></CommonPrefixes><CommonPrefixes><Prefix>f/</Prefix></CommonPrefixes>',
  ),
  'one prefix': list('<CommonPrefixes><Prefix>only/</Prefix></CommonPrefixes>'),
  'laid out': list(`\n  <Contents>\n    <Key>a</Key>\r\n    ${facts}\n  </Contents>\n`),
  'empty elements': list(object('a', '<Owner></Owner><StorageClass/><ETag />')),
  entities: list(object('&lt;a&gt; &amp;amp; &quot;b&quot; &apos; &#x41;&#66; &unknown;')),
  'spaces at the ends': list(object('  a \t b  ')),
  'a key of spaces': list(object('   ')),
  CDATA: list(object('a<![CDATA[<b> & ]] >]]>c') + object('<![CDATA[]]>d')),
  comments: list(`<!-- <Contents> -->${object('a<!-- b -->c')}<!---->`),
  instructions: list(`<?target <x> ?>${object('a')}`),
  'line ends in a key': list(object('a\r\nb\rc\nd')),
  attributes: list(`<Contents a="1>2" b='"'>${'<Key>a</Key>'}${facts}</Contents >`),
  'other characters': list(object('ünïcödé 日本語 🎬 \u0001\u007f\ufffd')),
  'elements nobody knows': list(`<New><Contents><Key>no</Key></Contents></New>${object('a', '<Key2>no</Key2>')}`),
  'a document type': `<!DOCTYPE ListBucketResult>${list(object('a'))}`,
  'text behind the end': `${list(object('a'))}\n<more>`,
  'a byte order mark inside': list(object('\ufeffa')),
  // Not a page.
  spaces: ' \n ',
  'plain text': 'Not found',
  'an unclosed root': '<ListBucketResult>',
  'an unclosed key': '<ListBucketResult><Contents><Key>a',
  'an unclosed tag': '<ListBucketResult><Contents',
  'an unclosed comment': list('<!-- a'),
  'an unclosed CDATA': list(object('<![CDATA[a')),
  'crossed tags': list('<Contents><Key>a</Contents></Key>'),
  'a closing tag too many': list('</Contents>'),
}

test.each(Object.entries(pages))("a page with %s is read as by the SDK's own reader", async (_, xml) => {
  const outcome = async (read: () => Promise<ListedPage>) => read().then((page) => ({ ...page }), isReadingError)
  expect(await outcome(async () => readPage(xml))).toEqual(await outcome(() => bySdk(xml)))
})
const isReadingError = (error: unknown) => error instanceof NotXml || /parse error/i.test(String(error))

test('keys are decoded where the answer says that they are encoded, and only there', () => {
  const key = 'a+b%2Fc%20%25+%F0%9F%8E%AC%01'
  expect(readPage(list(`<EncodingType>url</EncodingType>${object(key)}`)).objects[0]?.key).toBe('a b/c % 🎬\u0001')
  expect(readPage(list(`${object(key)}<EncodingType>url</EncodingType>`)).objects[0]?.key).toBe('a b/c % 🎬\u0001')
  expect(readPage(list(object(key))).objects[0]?.key).toBe(key)
})

test('a character by its number is whole, and half of one is none', () => {
  const keys = readPage(list(`${object('&#x1F3AC;&#55356;&#57260;')}${object('a&#xD83C;')}`)).objects.map(
    ({ key }) => key,
  )
  expect(keys).toEqual(['🎬🎬', 'a\ufffd'])
})

test('a key that is not UTF-8 keeps its bytes, as names on disks do', () => {
  const page = readPage(list(`<EncodingType>url</EncodingType>${object('caf%E9/100%25%')}${object('caf%C3%A9')}`))
  expect(page.objects.map(({ key }) => key)).toEqual(['caf\uefe9/100%%', 'café'])
  expect(page.isText).toBe(false)
})

test('an answer that the SDK takes for no keys is an error', () => {
  for (const xml of [
    '',
    '<Error><Code>SlowDown</Code></Error>',
    '<html><body><br></body></html>',
    list('<Contents/><Contents/>'),
  ])
    expect(() => readPage(xml)).toThrow(NotXml)
})

test('a record without a key is counted, and a size or date that cannot be read is unknown', () => {
  const page = readPage(
    list(
      object('good') +
        `<Contents>${facts}</Contents><Contents><Key/>${facts}</Contents><Contents><Key>a</Key><Key>b</Key></Contents>` +
        '<Contents><Key>c</Key><Size>many</Size></Contents>' +
        '<Contents><Key>d</Key><Size>99999999999999999999</Size><LastModified>soon</LastModified></Contents>' +
        '<Contents><Key>e</Key><Size>0</Size><LastModified>Mon, 02 Mar 2026 10:20:30 GMT</LastModified></Contents>',
    ),
  )
  expect(page.withoutKey).toBe(3)
  expect(page.objects.map(({ key, size, modified }) => [key, size, modified])).toEqual([
    ['good', 7, 1_772_360_430],
    ['c', undefined, undefined],
    ['d', undefined, undefined],
    ['e', 0, 1_772_446_830],
  ])
})

test('an eTag is a hash of the content where it is one', () => {
  expect(contentOf(`"${hash}"`, 5)).toBe(hash.toLowerCase())
  expect(contentOf(`W/"${hash}"`, 5)).toBe(hash.toLowerCase())
  expect(contentOf('"d41d8cd98f00b204e9800998ecf8427e"', 0)).toBe('d41d8cd98f00b204e9800998ecf8427e')
  expect(contentOf('"d41d8cd98f00b204e9800998ecf8427e"', 5)).toBe('')
  expect(contentOf(`"${'0'.repeat(32)}"`, 5)).toBe('')
  expect(contentOf('"D41D8CD98F00B204E9800998ECF8427E"', 5)).toBe('')
  expect(contentOf('"d41d8cd98f00b204e9800998ecf8427e-2"', 5)).toBe('')
  expect(contentOf('"0x8D4BCC2E4835CD0"', 5)).toBe('')
  expect(contentOf('', 5)).toBe('')
})

test('an object in several parts has the hash of the same parts and bytes alone', () => {
  const parts = contentOf(`"${hash}-12"`, 5_000)
  expect(parts).toBe(`parts:${hash.toLowerCase()}-12:5000`)
  const others = [contentOf(`"${hash}"`, 5_000), contentOf(`"${hash}-11"`, 5_000), contentOf(`"${hash}-12"`, 5_001)]
  expect(others).not.toContain(parts)
})

test('names of buckets are read, without their owners', () => {
  const buckets = '<Buckets><Bucket><Name>a</Name></Bucket><Bucket><Name>b.c</Name></Bucket></Buckets>'
  const owner = '<Owner><ID>x</ID><DisplayName>Name</DisplayName></Owner>'
  const xml = `<ListAllMyBucketsResult>${owner}${buckets}<ContinuationToken>next</ContinuationToken></ListAllMyBucketsResult>`
  expect(readBuckets(xml)).toEqual({ names: ['a', 'b.c'], token: 'next' })
  expect(() => readBuckets(list(''))).toThrow(NotXml)
})

test('entities and elements with names that every object has are unknown ones', () => {
  const { objects, isTruncated, isVersion1 } = readPage(
    list(`<constructor>a</constructor><__proto__>b</__proto__>${object('a&constructor;&toString;b')}`),
  )
  expect([objects.map(({ key }) => key), isTruncated, isVersion1]).toEqual([['ab'], false, false])
})
