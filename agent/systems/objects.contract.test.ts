import { expect, onTestFinished, test } from 'vitest'
import type { ObjectStore } from '#events/sources/buckets.ts'
import { listBuckets } from '../requestHandlers.ts'
import { pathOf } from '../testing/decodeRows.ts'
import { startAzurite } from './azure/testing.ts'
import * as dropbox from './dropbox/testing.ts'
import { openStore } from './objectStores.ts'
import { objectsOf } from './s3/simulator/index.ts'
import { account, simulator } from './s3/testing.ts'
import { StoreBusy } from './system.ts'
import { filesIn, forever, rowsOf } from './testing.ts'

/** Objects in each store. Pages of 1,000 keys, as S3 has them, make this two pages. */
const tree = Array.from({ length: 1_200 }, (_, i) => ({
  path: `/Réel ${i % 3}/Take ${i % 11}/shot ${i} & 🎬.mov`,
  size: (i * 31) % 90,
  modified: 1_700_000_000 + i,
}))
const azurite = await startAzurite()
const blobs = tree.slice(0, 200).map(({ path, size }) => ({ name: path.slice(1), size }))

type Started = { store: ObjectStore; files: typeof tree; hasTimes: boolean; busy?: (requests: number) => void }

const stores: Record<string, () => Promise<Started>> = {
  async S3() {
    const objects = objectsOf(tree.map(({ path, ...facts }) => ({ key: path.slice(1), ...facts })))
    const { url, behaviour } = await simulator({ buckets: { media: { objects } } })
    const { accessKey, secretKey } = account
    const place = { region: '', namespace: '', endpoint: url, bucket: 'media' }
    const store: ObjectStore = { type: 'OTHER', ...place, accessKey, secretKey }
    const busy = (requests: number) => Object.assign(behaviour, { busy: requests, busyHeaders: { 'retry-after': '0' } })
    return { store, files: tree, hasTimes: true, busy }
  },
  async Azure() {
    await azurite.fill('media', blobs)
    const store: ObjectStore = { type: 'AZURE', container: 'media', connectionString: azurite.connectionString }
    return { store, files: tree.slice(0, 200), hasTimes: false }
  },
  async Dropbox() {
    const { url, behaviour } = await dropbox.simulator({ files: [...tree], behaviour: { pageSize: 500 } })
    const { appKey, refreshToken } = dropbox.signIn
    const store: ObjectStore = { type: 'DROPBOX', url, path: '/', refreshToken, appKey }
    const busy = (requests: number) => Object.assign(behaviour, { busy: requests, busyHeaders: { 'retry-after': '0' } })
    return { store, files: tree, hasTimes: true, busy }
  },
}

async function open(store: ObjectStore, scannedPath = '') {
  const opened = await openStore(store, scannedPath)
  onTestFinished(() => opened.close())
  return opened
}

test.each(Object.keys(stores))('%s: what was put in is what a scan shows, also of a folder alone', async (name) => {
  const { store, files, hasTimes, busy } = await (stores[name] as () => Promise<Started>)()
  const expected = (below: string) =>
    files
      .filter(({ path }) => path.startsWith(below))
      .map(({ path, size, modified }) => JSON.stringify([path, `${size}`, hasTimes ? `${modified}` : '']))
      .sort()
  const shown = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
    filesIn(rows)
      .map((row) => JSON.stringify([pathOf(row), row.size, hasTimes ? row.modified : '']))
      .sort()
  busy?.(3)
  const system = await open(store)
  expect(shown(await rowsOf(system))).toEqual(expected('/'))
  expect(system.requests()).toBeGreaterThan(0)
  await system.check(forever)
  expect(shown(await rowsOf(await open(store, '/Réel 1'), '/Réel 1'))).toEqual(expected('/Réel 1/'))
  expect(await rowsOf(await open(store, '/gone'), '/gone').then(filesIn)).toEqual([])
  const ask = (type: 'access' | 'names', more = {}) =>
    listBuckets(JSON.stringify({ type, store: { ...store, ...more } }))
  const fine = { reason: null, field: null, isDenied: false }
  expect(await ask('access')).toEqual({ ...fine, names: [] })
  expect(await ask('names')).toEqual({ ...fine, names: store.type === 'DROPBOX' ? [] : ['media'] })
  const { reason } = await ask('access', { bucket: 'lost', container: 'lost', path: '/lost' })
  expect(reason).toMatch(/has no (bucket|container|folder) \/?lost$/)
})

test.each(['S3', 'Dropbox'])('%s: a listing continues from a part that was kept, and retries later', async (name) => {
  const { store, files, busy } = await (stores[name] as () => Promise<Started>)()
  const first = await (await open(store)).page('', { idle: 0, signal: forever })
  const paths = [...first.entries].map(({ parentPath, name }) => parentPath + name)
  const later = await open(store)
  busy?.(1)
  await expect(later.page(first.rest[0] as string, { idle: 0, signal: forever })).rejects.toBeInstanceOf(StoreBusy)
  const parts = [...first.rest]
  while (parts.length > 0) {
    const page = await later.page(parts.pop() as string, { idle: 0, signal: forever })
    paths.push(...[...page.entries].map(({ parentPath, name }) => parentPath + name))
    parts.push(...page.rest)
  }
  // The spelling of a folder that an earlier attempt chose is not known to this one; Dropbox ignores case in paths.
  const spelled = (path: string) => (store.type === 'DROPBOX' ? path.toLowerCase() : path)
  expect(paths.map(spelled).sort()).toEqual(files.map(({ path }) => spelled(path)).sort())
})

test('keys that may not list buckets are named as such, without the name of a bucket', async () => {
  const { url } = await simulator({ buckets: {}, accounts: [{ ...account, mayListBuckets: false }] })
  const { accessKey, secretKey } = account
  const store = { type: 'OTHER', region: '', namespace: '', endpoint: url, bucket: '', accessKey, secretKey }
  const { reason } = await listBuckets(JSON.stringify({ type: 'names', store }))
  expect(reason).toMatch(/no right to list buckets at .* \(s3:ListAllMyBuckets\)$/)
})
