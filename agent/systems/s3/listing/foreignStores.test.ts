import { expect, test } from 'vitest'
import { pathOf } from '../../../testing/decodeRows.ts'
import type { StoredObject } from '../../objectEntry.ts'
import { filesIn, forever, keysOf, rowsOf } from '../../testing.ts'
import { byFolders, type ForeignStore } from '../simulator/foreignList.ts'
import { objectsOf } from '../simulator/index.ts'
import { openMedia, simulator } from '../testing.ts'

const objectsWith = (keys: readonly string[]): StoredObject[] =>
  keys.map((key, i) => ({ key, size: i, modified: 1_700_000_000 + i }))

/** A bucket of these keys in a store that differs from Amazon. */
async function bucketOf(keys: readonly string[], foreign: ForeignStore, pageSize = 1_000) {
  const query = (parameters: URLSearchParams) => parameters.set('max-keys', String(pageSize))
  const store = await simulator({
    buckets: { media: { objects: objectsOf(objectsWith(keys)) } },
    behaviour: { foreign, query },
  })
  return { store, media: openMedia(store) }
}

const sorted = (keys: readonly string[]): string[] => [...keys].sort()
const reversed = (one: string, other: string): number => (one < other ? 1 : -1)

/** Folders, and names next to them that sort before the slash. */
const manyKeys = Array.from({ length: 12 }, (_, i) => [`f${i}/x`, `f${i}/y/z`, `f${i}-b`, `f${i}.txt`, `f${i}`]).flat()

test('a store that lists folders where their names belong is listed by tokens', async () => {
  const keys = ['a/x', 'a-b', 'b', 'c/x', 'c-d', 'e']
  const { media, store } = await bucketOf(keys, { order: byFolders }, 3)
  expect(await keysOf(media)).toEqual(keys)
  expect(store.requests.map((address) => /continuation-token|start-after|delimiter/.exec(address)?.[0])).toEqual([
    undefined,
    'continuation-token',
  ])
  expect([media.oddRecords?.(), media.note?.()]).toEqual([0, undefined])
})

test.each([
  ['by folders', { order: byFolders }],
  ['in reverse', { order: reversed }],
  ['by folders, and refuses to list one level', { order: byFolders, refusesDelimiter: true }],
  ['by folders, and sends the last key of a page again', { order: byFolders, isInclusive: true }],
  ['in order, and sends the last key of a page again', { isInclusive: true }],
  ['in order, and sends no tokens', { tokens: 'none' }],
  ['in order, by the first version alone', { version1: 'refuses' }],
  ['in order, as if the first version was requested', { version1: 'ignores' }],
  ['in order, by the first version, and sends markers again', { version1: 'refuses', isInclusive: true }],
  ['by folders, by the first version, and names markers', { order: byFolders, version1: 'ignores', namesMarker: true }],
] as [string, ForeignStore][])('a store that lists %s: each key arrives once', async (_, foreign) => {
  for (const pageSize of [3, 20, 1_000]) {
    for (const idle of [0, 7]) {
      const { media } = await bucketOf(manyKeys, foreign, pageSize)
      const keys = await keysOf(media, idle)
      expect(new Set(keys).size).toBe(keys.length)
      expect(sorted(keys)).toEqual(sorted(manyKeys))
    }
  }
})

test('a store that loses the order when ranges are read is listed again, without the keys that were sent', async () => {
  // The first folders and files are in order; a name that sorts before the slash comes late, in a folder of its own.
  const early = Array.from({ length: 60 }, (_, i) => `a${10 + (i % 10)}/${i}`)
  const late = Array.from({ length: 10 }, (_, i) => [`z/${i}/x`, `z/${i}-b`, `z/${i}.c`]).flat()
  const { media, store } = await bucketOf([...early, ...late], { order: byFolders }, 5)
  expect(sorted(await keysOf(media))).toEqual(sorted([...early, ...late]))
  expect(store.requests.some((address) => address.includes('start-after'))).toBe(true)
})

test('keys that a store sends again are counted in the note of the scan, which stays without a warning', async () => {
  const { media } = await bucketOf(['a', 'b', 'c'], { isInclusive: true }, 2)
  expect(await keysOf(media)).toEqual(['a', 'b', 'c'])
  expect(media.note?.()).toBe('1 record that the store sent again was skipped.')
  expect(media.oddRecords?.()).toBe(0)
})

test('odd records are counted and named, and all others are listed', async () => {
  const changes: Record<string, (xml: string) => string> = {
    noSize: (xml) => xml.replace(/<Size>.*<\/Size>/, ''),
    negative: (xml) => xml.replace(/<Size>.*<\/Size>/, '<Size>-5</Size>'),
    huge: (xml) => xml.replace(/<Size>.*<\/Size>/, '<Size>99999999999999999999</Size>'),
    noDate: (xml) => xml.replace(/<LastModified>.*<\/LastModified>/, '<LastModified>n/a</LastModified>'),
    emptyDate: (xml) => xml.replace(/<LastModified>.*<\/LastModified>/, '<LastModified></LastModified>'),
    yearOne: (xml) =>
      xml.replace(/<LastModified>.*<\/LastModified>/, '<LastModified>0001-01-01T00:00:00Z</LastModified>'),
    noKey: (xml) => xml.replace(/<Key>.*<\/Key>/, ''),
    emptyKey: (xml) => xml.replace(/<Key>.*<\/Key>/, '<Key/>'),
  }
  const record = (xml: string, { key }: StoredObject) => changes[key]?.(xml) ?? xml
  const { media } = await bucketOf(['good', ...Object.keys(changes), 'last'], { record })
  await media.check(forever)
  const facts = filesIn(await rowsOf(media)).map((row) => [pathOf(row), row.size, Number(row.modified) > 0])
  expect(sorted(facts.map((row) => row.join(' ')))).toEqual(
    sorted([
      '/emptyDate 5 false',
      '/good 0 true',
      '/huge -1 true',
      '/last 9 true',
      '/negative -1 true',
      '/noDate 4 false',
      '/noSize -1 true',
      '/yearOne 6 false',
    ]),
  )
  expect(media.oddRecords?.()).toBe(8)
  expect(media.note?.()).toBe(
    '8 records could not be read in full: 2 without a key were left out, 3 without a size, 3 without a date.',
  )
})

const oddKeys = ['a+b', 'a b', 'a%2Bb', 'a%20b', 'a/b c/d+e', '100%', 'caf\u00e9 +', '+', ' ', 'x%41']
/** Encodes all but the slash, with `%20` for a space, and leaves `+`. */
const leavingPlus = (key: string) => encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%2B', '+')
const percentOnly = (key: string) => encodeURIComponent(key).replaceAll('%2F', '/')
const asForms = (key: string) => percentOnly(key).replaceAll('%20', '+')
const unencoded = (key: string) => key

test.each([
  ['as forms do', { spell: asForms }],
  ['without any +', { spell: percentOnly }],
  ['but for +', { spell: leavingPlus }],
  ['as forms do, without saying so', { spell: asForms, declares: false }],
  ['without any +, and without saying so', { spell: percentOnly, declares: false }],
  ['in no way', { spell: unencoded, declares: false }],
] as [string, ForeignStore][])('keys of a store that encodes them %s match the bucket', async (_, foreign) => {
  const { media } = await bucketOf(oddKeys, foreign)
  expect(sorted(await keysOf(media))).toEqual(sorted(oddKeys))
  // Each key alone, so that no other one shows how they are written.
  for (const key of oddKeys) {
    const { media: one, store } = await bucketOf([key], foreign)
    expect([key, await keysOf(one)]).toEqual([key, [key]])
    expect(store.requests.length).toBeLessThanOrEqual(5)
  }
})

test('messages name what a store lacks', async () => {
  const failure = async (foreign: ForeignStore) => {
    const { media } = await bucketOf(['b/x', 'b-c', 'd', 'e'], foreign, 2)
    return keysOf(media).then(String, (error: Error) => error.message)
  }
  expect(await failure({ order: byFolders, tokens: 'none' })).toBe(
    'The store says that there are more keys, but not where: its answer has no new NextContinuationToken',
  )
  expect(await failure({ order: reversed, tokens: 'ignored' })).toBe(
    'The store sends the same page again: it ignores the continuation token',
  )
  expect(await failure({ order: byFolders, version1: 'ignores' })).toBe(
    'The store does not list keys in the order of their bytes and names no NextMarker, so its list cannot be continued',
  )
})

test('the check of a connection succeeds for a store that has the first version alone', async () => {
  const { media, store } = await bucketOf(['a'], { version1: 'refuses' })
  await media.check(forever)
  expect(store.requests).toHaveLength(2)
})
