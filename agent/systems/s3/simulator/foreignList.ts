import type { StoredObject } from '../../objectEntry.ts'
import { type Answered, answered, contents, element, keyIn, refused } from './answers.ts'
import type { Objects } from './keys.ts'

/** Differences between a store and Amazon in how it lists a bucket. */
export type ForeignStore = {
  /** Order of keys; by bytes by default. */
  order?: (one: string, other: string) => number
  /** Has ListObjects alone: it refuses `list-type=2`, or ignores it. */
  version1?: 'refuses' | 'ignores'
  /** NextMarker is named also without a delimiter. */
  namesMarker?: boolean
  /** A place to continue is sent again: start-after, marker and token name the last key of the page before. */
  isInclusive?: boolean
  /** No NextContinuationToken is sent, or another one each time, which is ignored. */
  tokens?: 'none' | 'ignored'
  /** Folders are not listed. */
  refusesDelimiter?: boolean
  /** Spelling of keys instead of Amazon's, and false if EncodingType is not declared. */
  spell?: (key: string) => string
  declares?: boolean
  /** Changes the record of an object. */
  record?: (xml: string, object: StoredObject) => string
}

/** Order of stores that list a tree of folders, each of them where its name without the slash belongs. */
export function byFolders(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')]
  const at = a.findIndex((name, i) => name !== b[i])
  return at < 0 ? a.length - b.length : byBytes(a[at] ?? '', b[at] ?? '')
}

const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

/** Answers ListObjectsV2 or ListObjects of a small bucket, as such a store does. Tokens are places in its order. */
export function foreignList(
  { name, objects }: { name: string; objects: Objects },
  query: URLSearchParams,
  store: ForeignStore,
): Answered {
  const isVersion2 = query.get('list-type') === '2' && store.version1 !== 'ignores'
  if (isVersion2 && store.version1 === 'refuses')
    return refused(
      501,
      'NotImplemented',
      'A header or query you provided implies functionality that is not implemented',
    )
  const delimiter = query.get('delimiter') ?? ''
  if (delimiter && store.refusesDelimiter) return refused(501, 'NotImplemented', 'The delimiter is not implemented')
  const items = itemsOf(objects, query, store)
  const from = startOf(items, query, store, isVersion2)
  const to = Math.min(from + Number(query.get('max-keys') ?? 1_000), items.length)
  const page = items.slice(from, to)
  const isTruncated = to < items.length && page.length > 0
  const isEncoded = query.get('encoding-type') === 'url'
  const spell = spellingOf(store, isEncoded)
  const facts = [
    element('Name', name),
    isVersion2 ? element('KeyCount', page.length) : element('Marker', spell(query.get('marker') ?? '')),
    ...(isEncoded && store.declares !== false ? [element('EncodingType', 'url')] : []),
    element('IsTruncated', isTruncated),
    ...(isTruncated ? nextOf(store, { isVersion2, to, hasFolders: delimiter !== '', last: spell(last(page)) }) : []),
  ]
  const listed = page.map(({ key, object }) =>
    object ? recordOf(object, spell, store) : `<CommonPrefixes>${element('Prefix', spell(key))}</CommonPrefixes>`,
  )
  return answered(['<ListBucketResult>', ...facts, ...listed, '</ListBucketResult>'])
}

const last = (page: readonly Item[]): string => page.at(-1)?.key ?? ''

type Next = { isVersion2: boolean; to: number; hasFolders: boolean; last: string }

function nextOf(store: ForeignStore, { isVersion2, to, hasFolders, last }: Next): string[] {
  if (!isVersion2) return store.namesMarker || hasFolders ? [element('NextMarker', last)] : []
  return store.tokens === 'none' ? [] : [element('NextContinuationToken', tokenFor(store, to))]
}

/** An object, or a folder of the requested level. */
type Item = { key: string; object?: StoredObject }

function itemsOf(objects: Objects, query: URLSearchParams, { order = byBytes }: ForeignStore): Item[] {
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter') ?? ''
  const items = new Map<string, Item>()
  for (let at = 0; at < objects.count; at++) {
    const object = objects.at(at)
    if (!object.key.startsWith(prefix)) continue
    const end = delimiter === '' ? -1 : object.key.indexOf(delimiter, prefix.length)
    const key = end < 0 ? object.key : object.key.slice(0, end + 1)
    items.set(key, end < 0 ? { key, object } : { key })
  }
  return [...items.values()].sort((one, other) => order(one.key, other.key))
}

function startOf(items: Item[], query: URLSearchParams, store: ForeignStore, isVersion2: boolean): number {
  const { order = byBytes, isInclusive = false } = store
  const token = isVersion2 ? query.get('continuation-token') : null
  if (token !== null) return store.tokens === 'ignored' ? 0 : Number(token.slice(2)) - (isInclusive ? 1 : 0)
  const after = query.get(isVersion2 ? 'start-after' : 'marker')
  if (after === null) return 0
  const at = items.findIndex(({ key }) => order(key, after) > (isInclusive ? -1 : 0))
  return at < 0 ? items.length : at
}

let answers = 0
const tokenFor = ({ tokens }: ForeignStore, to: number): string => (tokens === 'ignored' ? `x-${answers++}` : `i-${to}`)

const spellingOf =
  ({ spell }: ForeignStore, isRequested: boolean) =>
  (key: string) =>
    spell ? spell(key) : keyIn(key, isRequested)

function recordOf(object: StoredObject, spell: (key: string) => string, { record }: ForeignStore): string {
  const xml = contents(object, { isEncoded: false, withOwner: false })
  const spelled = xml.replace(/<Key>[^<]*<\/Key>/, () => element('Key', spell(object.key)))
  return record ? record(spelled, object) : spelled
}
