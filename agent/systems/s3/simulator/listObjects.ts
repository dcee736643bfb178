import { type Answered, answered, contents, element, keyIn, refused } from './answers.ts'
import { firstWhere, type Objects } from './keys.ts'

export type ListedBucket = {
  name: string
  objects: Objects
  /** The entries of objects as bytes. */
  write: (from: number, to: number, withOwner: boolean) => Uint8Array[]
}

const isAfter = (key: string, other: string): boolean => Buffer.compare(Buffer.from(key), Buffer.from(other)) > 0

/** Answers ListObjectsV2. Tokens name the last key of the page, or the folder after which to continue. */
export function listObjects(bucket: ListedBucket, query: URLSearchParams): Answered {
  const { objects } = bucket
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter') ?? ''
  const maxKeys = Math.min(Number(query.get('max-keys') ?? 1_000), 1_000)
  const isEncoded = query.get('encoding-type') === 'url'
  const [token, startAfter] = [query.get('continuation-token'), query.get('start-after')]
  const page = pageOf(objects, { prefix, delimiter, maxKeys, token, startAfter })
  if (!page) return refused(400, 'InvalidArgument', 'The continuation token provided is incorrect')
  const withOwner = query.get('fetch-owner') === 'true'
  const facts = [
    element('Name', bucket.name),
    element('Prefix', keyIn(prefix, isEncoded)),
    ...(query.has('start-after') ? [element('StartAfter', keyIn(query.get('start-after') ?? '', isEncoded))] : []),
    ...(delimiter ? [element('Delimiter', delimiter)] : []),
    element('MaxKeys', maxKeys),
    ...(isEncoded ? [element('EncodingType', 'url')] : []),
    element('KeyCount', page.count),
    element('IsTruncated', page.next !== undefined),
    ...(page.next === undefined ? [] : [element('NextContinuationToken', page.next)]),
  ]
  const listed = page.ranges.flatMap(([from, to]): (string | Uint8Array)[] =>
    isEncoded
      ? bucket.write(from, to, withOwner)
      : Array.from({ length: to - from }, (_, i) => contents(objects.at(from + i), { isEncoded, withOwner })),
  )
  const folders = page.folders.map(
    (each) => `<CommonPrefixes>${element('Prefix', keyIn(each, isEncoded))}</CommonPrefixes>`,
  )
  const opening = '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
  return answered([opening, ...facts, ...listed, ...folders, '</ListBucketResult>'])
}

type Page = { ranges: [from: number, to: number][]; folders: string[]; count: number; next: string | undefined }

type Listing = { prefix: string; delimiter: string; maxKeys: number; token: string | null; startAfter?: string | null }

/** A page of objects, or of the objects and folders of one level. Undefined for an invalid token. */
export function pageOf(objects: Objects, listing: Listing): Page | undefined {
  const from = startOf(objects, listing)
  if (from === undefined) return undefined
  const { prefix, delimiter, maxKeys } = listing
  return delimiter === ''
    ? flatPage(objects, prefix, from, maxKeys)
    : levelPage(objects, { prefix, delimiter, from, maxKeys })
}

/** Index at which a page begins; undefined for an invalid token. */
function startOf(objects: Objects, { prefix, token, startAfter = null }: Listing): number | undefined {
  const ofPrefix = firstWhere(objects, (key) => key === prefix || isAfter(key, prefix))
  if (token === null)
    return startAfter === null
      ? ofPrefix
      : Math.max(
          ofPrefix,
          firstWhere(objects, (key) => isAfter(key, startAfter)),
        )
  const [kind, text] = [token.slice(0, 2), Buffer.from(token.slice(2), 'base64url').toString()]
  if (kind === 'k-') return firstWhere(objects, (key) => isAfter(key, text))
  return kind === 'f-' ? firstBehind(objects, text) : undefined
}

const firstBehind = (objects: Objects, folder: string): number =>
  firstWhere(objects, (key) => isAfter(key, folder) && !key.startsWith(folder))

const tokenOf = (kind: 'k' | 'f', text: string): string => `${kind}-${Buffer.from(text).toString('base64url')}`

function flatPage(objects: Objects, prefix: string, from: number, maxKeys: number): Page {
  const end = Math.max(from, firstBehind(objects, prefix))
  const to = Math.min(from + maxKeys, end)
  return {
    ranges: [[from, to]],
    folders: [],
    count: to - from,
    next: to < end && to > from ? tokenOf('k', objects.at(to - 1).key) : undefined,
  }
}

type Level = { prefix: string; delimiter: string; from: number; maxKeys: number }

function levelPage(objects: Objects, { prefix, delimiter, from, maxKeys }: Level): Page {
  const page: Page = { ranges: [], folders: [], count: 0, next: undefined }
  let last: string | undefined
  for (let at = from; at < objects.count; page.count++) {
    const { key } = objects.at(at)
    if (!key.startsWith(prefix)) break
    if (page.count === maxKeys) return { ...page, next: last }
    const end = key.indexOf(delimiter, prefix.length)
    if (end < 0) {
      page.ranges.push([at, at + 1])
      last = tokenOf('k', key)
      at++
    } else {
      const folder = key.slice(0, end + delimiter.length)
      page.folders.push(folder)
      last = tokenOf('f', folder)
      at = firstBehind(objects, folder)
    }
  }
  return page
}
