import { nameFromBytes } from '#events/scans/names.ts'
import type { StoredObject } from '../objectEntry.ts'
import { NotXml, readXml } from './readXml.ts'

/** A page of a listing. `isText` says whether all keys are UTF-8, so that they can be named in a request. */
export type ListedPage = {
  objects: StoredObject[]
  prefixes: string[]
  isTruncated: boolean
  token: string | undefined
  isText: boolean
}

/**
 * Reads the answer to ListObjectsV2. Keys are decoded where the answer says that they are encoded as in addresses, for XML alone
 * cannot carry all of them. Throws `NotXml` for anything else, or when an object has no key, size or date that can be read.
 */
export function readPage(xml: string): ListedPage {
  const page = {
    objects: [] as FoundObject[],
    prefixes: [] as string[],
    isTruncated: false,
    token: '',
    isEncoded: false,
  }
  let object: FoundObject = { key: undefined, size: '', modified: '', etag: '', storageClass: '' }
  const parents: string[] = []
  readXml(xml, {
    open(name, depth) {
      parents[depth] = name
      if (depth === 1 && name !== 'ListBucketResult') throw new NotXml(`<${name}> is no list of objects`)
      if (depth === 2 && name === 'Contents') {
        object = { key: undefined, size: '', modified: '', etag: '', storageClass: '' }
        page.objects.push(object)
      }
    },
    close(name, text, depth) {
      if (depth === 3 && parents[2] === 'Contents') takeFact(object, name, text)
      else if (depth === 4 && parents[3] === 'Owner' && parents[2] === 'Contents') takeOwner(object, name, text)
      else if (depth === 3 && name === 'Prefix' && parents[2] === 'CommonPrefixes') page.prefixes.push(text)
      else if (depth === 2 && name === 'IsTruncated') page.isTruncated = text.trim() === 'true'
      else if (depth === 2 && name === 'NextContinuationToken') page.token = text
      else if (depth === 2 && name === 'EncodingType') page.isEncoded = text.trim() === 'url'
    },
  })
  return finished(page)
}

type FoundObject = {
  key: string | undefined
  size: string
  modified: string
  etag: string
  storageClass: string
  id?: string
  displayName?: string
}
type Page = { objects: FoundObject[]; prefixes: string[]; isTruncated: boolean; token: string; isEncoded: boolean }

function takeFact(object: FoundObject, name: string, text: string) {
  if (name === 'Key') {
    if (object.key !== undefined) throw new NotXml('An object has two keys')
    object.key = text
  } else if (name === 'Size') object.size = text
  else if (name === 'LastModified') object.modified = text
  else if (name === 'ETag') object.etag = text
  else if (name === 'StorageClass') object.storageClass = text
}

function takeOwner(object: FoundObject, name: string, text: string) {
  if (name === 'ID') object.id = text
  else if (name === 'DisplayName') object.displayName = text
}

function finished(page: Page): ListedPage {
  let isText = true
  const keyOf = (raw: string): string => (page.isEncoded ? decodedKey(raw, () => (isText = false)) : raw)
  return {
    objects: page.objects.map((found) => objectOf(found, keyOf)),
    prefixes: page.prefixes.map(keyOf),
    isTruncated: page.isTruncated,
    token: page.token === '' ? undefined : page.token,
    get isText() {
      return isText
    },
  }
}

/** Decodes a URL-encoded key; calls `onOdd` for one that is not UTF-8. */
export function decodedKey(raw: string, onOdd: () => void = () => {}): string {
  if (!/[%+]/.test(raw)) return raw
  const encoded = raw.replaceAll('+', '%20')
  try {
    return decodeURIComponent(encoded)
  } catch {
    onOdd()
    return nameFromBytes(bytesOf(encoded))
  }
}

/** The bytes of a key that is not UTF-8. */
const bytesOf = (encoded: string): Buffer =>
  Buffer.concat(
    encoded
      .split(/(%[0-9a-fA-F]{2})/)
      .map((part) => (/^%[0-9a-fA-F]{2}$/.test(part) ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part))),
  )

function objectOf(found: FoundObject, keyOf: (raw: string) => string): StoredObject {
  if (found.key === undefined || found.key === '') throw new NotXml('An object has no key')
  const size = Number(found.size)
  if (!/^\s*\d+\s*$/.test(found.size) || !Number.isSafeInteger(size)) throw new NotXml('An object has no size')
  const modified = found.modified === '' ? 0 : Math.floor(Date.parse(found.modified) / 1_000)
  if (Number.isNaN(modified)) throw new NotXml(`'${found.modified.slice(0, 100)}' is no date`)
  const owner = found.displayName || found.id
  return {
    key: keyOf(found.key),
    size,
    modified,
    etag: contentOf(found.etag, size),
    storageClass: found.storageClass || 'STANDARD',
    ...(owner ? { owner } : {}),
  }
}

/** Hashes that some gateways return for every object: the MD5 of nothing, and one of zeros. */
const emptyHashes = new Set(['d41d8cd98f00b204e9800998ecf8427e', '0'.repeat(32)])

/**
 * The content hash in an eTag, in the form of `StoredObject.etag`; '' without one. For an object that was uploaded in one part it is the
 * MD5, in lower case. For one in several parts it is a hash of their hashes, `parts:<hash>-<parts>:<size>`, which only equals that of
 * another object of as many parts and bytes. With keys of a customer or of KMS it looks like an MD5 but isn't; then it equals no other,
 * which cannot be known here.
 */
export function contentOf(etag: string, size: number): string {
  const [, hash, parts] = /^(?:W\/)?"?([0-9a-f]{32})(-\d{1,5})?"?$/i.exec(etag.trim()) ?? []
  if (hash === undefined || (size > 0 && emptyHashes.has(hash))) return ''
  return parts === undefined ? hash.toLowerCase() : `parts:${hash.toLowerCase()}${parts}:${size}`
}

/** Reads the answer to ListBuckets. Throws `NotXml` for anything else. */
export function readBuckets(xml: string): { names: string[]; token: string | undefined } {
  const names: string[] = []
  let token = ''
  const parents: string[] = []
  readXml(xml, {
    open(name, depth) {
      parents[depth] = name
      if (depth === 1 && name !== 'ListAllMyBucketsResult') throw new NotXml(`<${name}> is no list of buckets`)
    },
    close(name, text, depth) {
      if (depth === 4 && name === 'Name' && parents[3] === 'Bucket') names.push(text)
      else if (depth === 2 && name === 'ContinuationToken') token = text
    },
  })
  return { names, token: token === '' ? undefined : token }
}
