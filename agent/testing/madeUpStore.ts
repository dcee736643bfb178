import { setTimeout as wait } from 'node:timers/promises'
import type { ScanOrder } from '#events/sources/scanOrder.ts'
import { objectEntry, type StoredObject } from '../systems/objectEntry.ts'
import { pageOf as listedPage } from '../systems/s3/simulator/listObjects.ts'
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

type Part = { prefix: string; token?: string; byLevel?: boolean }
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
        return pageOfPart(objects, { byLevel: idle > 0 && part.token === undefined, ...part }, pageSize)
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

/** The keys of a part, or those of one level and the prefixes below it as separate parts. */
function pageOfPart(objects: StoredObject[], { prefix, token, byLevel = false }: Part, pageSize: number): Page {
  const at = (index: number) => objects[index] as StoredObject
  const listing = { prefix, delimiter: byLevel ? '/' : '', maxKeys: pageSize, token: token ?? null }
  const page = listedPage({ count: objects.length, at }, listing)
  if (!page) throw new Error(`${token} is not a token`)
  const rest: Part[] = page.folders.map((folder) => ({ prefix: folder }))
  if (page.next !== undefined) rest.push({ prefix, token: page.next, byLevel })
  return {
    entries: page.ranges.flatMap(([from, to]) => objects.slice(from, to)).map(objectEntry),
    rest: rest.map((part) => JSON.stringify(part)),
  }
}
