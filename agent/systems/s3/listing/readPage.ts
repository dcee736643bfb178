import { TooLong } from '#events/node/jsonMeter.ts'
import { type ListedObject, secondsIn, sizeIn } from '../../objectEntry.ts'
import { NotXml, readXml } from '../readXml.ts'

/** Records of a page as the store wrote them: keys may be encoded. */
export type RawPage = {
  objects: ListedObject[]
  prefixes: string[]
  /** Records without a key, or with several. */
  withoutKey: number
  isTruncated: boolean
  token: string | undefined
  nextMarker: string | undefined
  /** The store says that its keys are encoded as in addresses. */
  isEncoded: boolean
  /** The answer has the form of ListObjects, the first version. */
  isVersion1: boolean
}

/** Keys and folders of a page, as documented and requested. */
const maxKeys = 1_000

/**
 * Reads the answer to ListObjectsV2 or ListObjects. Throws `TooLong` for more keys than a page may have. A record without a key is counted, and an unreadable size or date is undefined: one
 * odd record says nothing about the others. Throws `NotXml` for anything but a list, also one of several records without any key.
 */
export function readPage(xml: string): RawPage {
  const found: FoundObject[] = []
  const prefixes: string[] = []
  const facts = new Map<string, string>()
  let object = newObject()
  const parents: string[] = []
  readXml(xml, {
    open(name, depth) {
      parents[depth] = name
      if (depth === 1 && name !== 'ListBucketResult') throw new NotXml(`<${name}> is not a list of objects`)
      if (depth === 2 && name === 'Contents') found.push((object = newObject()))
    },
    close(name, text, depth) {
      if (depth === 3 && parents[2] === 'Contents') takeFact(object, name, text)
      else if (depth === 4 && parents[3] === 'Owner' && parents[2] === 'Contents') takeOwner(object, name, text)
      else if (depth === 3 && name === 'Prefix' && parents[2] === 'CommonPrefixes') prefixes.push(text)
      else if (depth === 2 && name !== 'Contents' && name !== 'CommonPrefixes') facts.set(name, text)
    },
  })
  if (found.length + prefixes.length > maxKeys) throw new TooLong(`A page of ${found.length + prefixes.length} keys`)
  const objects = found.filter(({ keys }) => keys === 1)
  if (objects.length === 0 && found.length > 1) throw new NotXml('No object of the page has a key')
  return { ...pageFacts(facts), objects: objects.map(objectOf), prefixes, withoutKey: found.length - objects.length }
}

function pageFacts(facts: ReadonlyMap<string, string>): Omit<RawPage, 'objects' | 'prefixes' | 'withoutKey'> {
  const token = facts.get('NextContinuationToken') || undefined
  const isVersion2 = token !== undefined || facts.has('KeyCount') || facts.has('StartAfter')
  return {
    isTruncated: facts.get('IsTruncated')?.trim() === 'true',
    token,
    nextMarker: facts.get('NextMarker') || undefined,
    isEncoded: facts.get('EncodingType')?.trim() === 'url',
    isVersion1: !isVersion2 && (facts.has('Marker') || facts.has('NextMarker')),
  }
}

/** `keys` is the number of keys, which has to be 1. */
type FoundObject = {
  key: string
  keys: number
  size: string
  modified: string
  etag: string
  storageClass: string
  id?: string
  displayName?: string
}
const newObject = (): FoundObject => ({ key: '', keys: 0, size: '', modified: '', etag: '', storageClass: '' })

function takeFact(object: FoundObject, name: string, text: string) {
  if (name === 'Key' && text !== '') {
    object.keys++
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

function objectOf({ key, displayName, id, ...found }: FoundObject): ListedObject {
  const size = sizeIn(found.size)
  const owner = displayName || id
  return {
    key,
    size,
    modified: secondsIn(found.modified),
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
export function contentOf(etag: string, size: number | undefined): string {
  const [, hash, parts] = /^(?:w\/)?"?([0-9a-f]{32})(-\d{1,5})?"?$/.exec(etag.trim().toLowerCase()) ?? []
  if (hash === undefined || size === undefined || (size > 0 && emptyHashes.has(hash))) return ''
  return parts === undefined ? hash : `parts:${hash}${parts}:${size}`
}
