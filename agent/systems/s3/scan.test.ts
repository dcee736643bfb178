import { expect, test } from 'vitest'
import { pathOf } from '../../testing/decodeRows.ts'
import { madeUpObjects } from '../../testing/madeUpStore.ts'
import { filesIn, forever, keysOf, rowsOf } from '../testing.ts'
import { countedObjects, objectsOf } from './simulator/index.ts'
import { openMedia, simulator } from './testing.ts'

test('a scan of 20,000 objects through the protocol finds all of them, with any keys', async () => {
  const objects = madeUpObjects(20_000)
  const store = await simulator({ buckets: { media: { objects: objectsOf(objects) } } })
  const system = openMedia(store)
  const found = filesIn(await rowsOf(system)).map((row) => [
    pathOf(row),
    row.size,
    row.modified,
    row.etag,
    row.storage_class,
    row.owner,
  ])
  const expected = objects.map(({ key, size, modified, etag, storageClass, owner }) => [
    `/${key}`,
    `${size}`,
    `${modified}`,
    etag,
    storageClass,
    owner,
  ])
  const inOrder = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort()
  expect(inOrder(found)).toEqual(inOrder(expected))
  expect(system.requests()).toBe(store.requests.length)
  expect(store.requests.length).toBeLessThan(60)
})

test('folders are looked for only where requests are free: alone, a bucket takes one request a page', async () => {
  const store = await simulator({ buckets: { media: { objects: countedObjects(20_000) } } })
  expect(await keysOf(openMedia(store), 0)).toHaveLength(20_000)
  // And one that shows how the store writes a space.
  expect(store.requests).toHaveLength(21)
  const keys = await keysOf(openMedia(store))
  expect(new Set(keys).size).toBe(20_000)
  expect(keys).toHaveLength(20_000)
})

test('a scan of a prefix lists that alone', async () => {
  const objects = madeUpObjects(2_000)
  const store = await simulator({ buckets: { media: { objects: objectsOf(objects) } } })
  const rows = await rowsOf(openMedia(store, { prefix: 'odd/' }), '/odd')
  const below = objects.filter(({ key }) => key.startsWith('odd/')).map(({ key }) => `/${key}`)
  expect(filesIn(rows).map(pathOf).sort()).toEqual(below.sort())
  expect(store.requests.every((address) => address.includes('prefix=odd%2F'))).toBe(true)
})

test('a store that is busy, or knows its tokens no more, is listed all the same', async () => {
  const behaviour = { busy: 10, busyHeaders: { 'retry-after': '0' }, forgetsTokens: true }
  const store = await simulator({ buckets: { media: { objects: countedObjects(20_000) } }, behaviour })
  const rows = filesIn(await rowsOf(openMedia(store)))
  expect(new Set(rows.map(pathOf)).size).toBe(20_000)
  expect(rows).toHaveLength(20_000)
  expect(store.behaviour.busy).toBe(0)
})

test('an object without attributes has the standard class, no owner and no hash', async () => {
  const objects = objectsOf([{ key: 'a', size: 3, modified: 7, etag: '0x8D4BCC2E4835CD0' }])
  const [row] = filesIn(await rowsOf(openMedia(await simulator({ buckets: { media: { objects } } }))))
  expect(row).toMatchObject({ size: '3', modified: '7', etag: '', storage_class: 'STANDARD', owner: '', created: '0' })
})

test('starts at most this number of requests in a second', async () => {
  const store = await simulator({ buckets: { media: { objects: countedObjects(11_000) } } })
  const began = performance.now()
  expect(await keysOf(openMedia(store, { requestsPerSecond: 40 }), 0)).toHaveLength(11_000)
  expect(store.requests).toHaveLength(12)
  expect(performance.now() - began).toBeGreaterThanOrEqual(250)
})

test('a bucket is checked by one key, and fails like a page', async () => {
  const store = await simulator()
  await openMedia(store).check(forever)
  expect(store.requests[0]).toContain('max-keys=1&')
  const missing = openMedia(store, { bucket: 'gone' })
  await expect(missing.check(forever)).rejects.toThrow('has no bucket gone')
})
