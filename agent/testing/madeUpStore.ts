import { setTimeout as wait } from 'node:timers/promises'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { objectEntry, type StoredObject } from '../systems/objectEntry.ts'
import { type Page, type PagedSystem, StoreBusy } from '../systems/system.ts'

/** Keys that are awkward as paths, as text, or next to each other. */
const oddKeys = [
  '/begins with a slash',
  '//begins with two',
  '/',
  '//',
  'odd/ends with one/',
  'odd/ends with one',
  'odd//has two//in a row',
  'odd',
  'odd/./dot',
  'odd/../dots',
  'odd/ ',
  'odd/tab\tand\nline end\r',
  'odd/control \u0001\u0008\u000c\u007f',
  'odd/nul \0 within',
  'odd/quotes \' " ` and \\ backslashes \\n \\t',
  'odd/%2F+%20?#&=;',
  'odd/ünïcödé 日本語 🎬',
  'odd/nfd u\u0308',
  'odd/\u{10ffff}\ufffd\uef80',
  'odd/*.tmp',
  `odd/${'deep/'.repeat(150)}file`,
  `odd/${'l'.repeat(1_000)}`,
]

/** Generates a fixed set of `count` objects, in the order in which stores list them. */
export function madeUpObjects(count: number): StoredObject[] {
  const keys = [...oddKeys]
  for (let i = keys.length; i < count; i++) {
    const depth = 1 + ((i * 7) % 12)
    const folders = Array.from({ length: depth }, (_, level) => `level${level}_${(i >> level) % (3 + level)}`)
    keys.push(`${i % 10 === 0 ? '' : `${folders.join('/')}/`}object ${i}.exr`)
  }
  return keys.sort().map((key, i) => ({
    key,
    size: (i * 7_919) % 1_000_003,
    modified: 1_600_000_000 + i,
    etag: i.toString(16).padStart(32, '0'),
    storageClass: i % 3 === 0 ? 'GLACIER' : 'STANDARD',
    owner: `owner ${i % 5}`,
  }))
}

const scattered = (count: number): number => Math.imul(count, 2_654_435_761) >>> 16

type Part = { prefix: string; after?: string; byLevel?: boolean }
type Behaviour = { pageSize?: number; pageMs?: number; busyEvery?: number; failAt?: number; prefix?: string }

/**
 * A store that lists keys like S3: by prefix, in pages, and by level for parts. It records the number of concurrent
 * requests. `busyEvery` refuses about one in that many requests at random; a regular pattern could refuse the same part
 * every time.
 */
export function madeUpStore(objects: StoredObject[], behaviour: Behaviour = {}) {
  const { pageSize = 1_000, pageMs = 0, busyEvery = Infinity, failAt = Infinity, prefix: scanned = '' } = behaviour
  let requests = 0
  let running = 0
  let maxRunning = 0
  const store: PagedSystem & { maxRunning(): number } = {
    async page(text, { idle, signal }) {
      maxRunning = Math.max(maxRunning, ++running)
      try {
        requests++
        await wait(pageMs * (0.5 + Math.random()), undefined, { signal })
        if (requests >= failAt) throw new Error('The bucket vanished')
        if (scattered(requests) % busyEvery === 0) throw new StoreBusy('SlowDown', 1)
        const part: Part = text === '' ? { prefix: scanned } : JSON.parse(text)
        const byLevel = part.byLevel ?? (idle > 0 && part.after === undefined)
        return byLevel ? levelPage(objects, part, pageSize) : flatPage(objects, part, pageSize)
      } finally {
        running--
      }
    },
    requests: () => requests,
    maxRunning: () => maxRunning,
  }
  return store
}

export const madeUpStoreFor = (order: ScanOrder, objects: StoredObject[], behaviour: Behaviour = {}) =>
  madeUpStore(objects, { ...behaviour, prefix: order.scannedPath && `${order.scannedPath.slice(1)}/` })

/** Index of the first key that is not before this one. */
function firstFrom(objects: StoredObject[], key: string): number {
  let low = 0
  for (let high = objects.length; low < high;) {
    const middle = (low + high) >> 1
    if ((objects[middle]?.key ?? '') < key) low = middle + 1
    else high = middle
  }
  return low
}

const startOf = (objects: StoredObject[], { prefix, after }: Part): number =>
  after === undefined ? firstFrom(objects, prefix) : firstFrom(objects, `${after}\0`)

function flatPage(objects: StoredObject[], part: Part, pageSize: number): Page {
  const from = startOf(objects, part)
  const page: StoredObject[] = []
  let at = from
  const isIn = () => objects[at]?.key.startsWith(part.prefix) ?? false
  while (page.length < pageSize && isIn()) page.push(objects[at++] as StoredObject)
  const rest = isIn() ? [{ prefix: part.prefix, after: page.at(-1)?.key ?? '' }] : []
  return pageOf(page, rest)
}

/** The keys of one level, and the prefixes below it as separate parts. */
function levelPage(objects: StoredObject[], part: Part, pageSize: number): Page {
  const page: StoredObject[] = []
  const below: Part[] = []
  let at = startOf(objects, part)
  let last = part.after ?? part.prefix
  const isIn = () => objects[at]?.key.startsWith(part.prefix) ?? false
  while (page.length + below.length < pageSize && isIn()) {
    const object = objects[at] as StoredObject
    const slash = object.key.indexOf('/', part.prefix.length)
    if (slash < 0) {
      page.push(object)
      last = object.key
      at++
    } else {
      const prefix = object.key.slice(0, slash + 1)
      below.push({ prefix })
      // Sorts after all keys with the prefix.
      last = `${prefix}\uffff`
      at = firstFrom(objects, last)
    }
  }
  return pageOf(page, isIn() ? [...below, { prefix: part.prefix, after: last, byLevel: true }] : below)
}

const pageOf = (page: StoredObject[], rest: Part[]): Page => ({
  entries: page.map(objectEntry),
  rest: rest.map((part) => JSON.stringify(part)),
})
