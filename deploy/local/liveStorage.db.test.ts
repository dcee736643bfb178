import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LiveState } from '#events/feeds/liveState.ts'
import { copyMigratedEngine, testDatabaseUrl, testDb, testFolder } from '#server/platform/testing/stores.ts'
import { type Product, startProduct } from './testing.ts'

const scratch = testFolder('live-storage')
const [tree, data] = [join(scratch, 'tree'), join(scratch, 'data')]
const db = await testDb()
const environment = { DATABASE_URL: await testDatabaseUrl() }
const waiting = { timeout: 30_000 }
let product: Product
let volumeId: number
afterAll(() => product?.stop())

const answerOf = async <T>(path: string): Promise<T> => (await product.call('GET', path)).answer as T
const stateOf = async () =>
  (await answerOf<{ elements: { id: number; live: LiveState }[] }>('/v1/storages')).elements.find(
    ({ id }) => id === volumeId,
  )?.live
type Totals = { elements: { numberOfFiles: number; numberOfFolders: number; sizeOfFiles: number }[] }
const totalsOf = async (query: string) => {
  const { elements } = await answerOf<Totals>(`/v1/volumes?${query}`)
  return elements.map((one) => [one.numberOfFiles, one.numberOfFolders, one.sizeOfFiles])[0]
}
const scan = async () => {
  await product.call('POST', '/v1/scans/volumes/ids', [volumeId])
  const unfinished = () => db.selectFrom('scans').select('id').where('finishedAt', 'is', null).execute()
  await expect.poll(unfinished, waiting).toEqual([])
}
const write = (path: string, bytes: number) => writeFileSync(join(tree, path), Buffer.alloc(bytes))
const lines = (...options: string[]) =>
  execFileSync('find', [tree, '-mindepth', '1', ...options])
    .toString()
    .split('\n')
/** Numbers of files and folders, and bytes of files, by `find`. */
const found = () => {
  const sizes = lines('-type', 'f', '-printf', '%s\n').map(Number)
  return [sizes.length - 1, lines('-type', 'd').length - 1, sizes.reduce((sum, size) => sum + size, 0)]
}

beforeAll(async () => {
  mkdirSync(join(tree, 'a/b'), { recursive: true })
  write('a/one', 100)
  write('a/b/two', 200)
  await copyMigratedEngine(join(data, 'clickhouse'))
  product = await startProduct(data, { environment })
  volumeId = await product.addStorage({ name: 'Tree', path: tree, followsChanges: true })
}, 120_000)

test('files that are written, moved and deleted are shown before the next scan, and that misses none', async () => {
  await scan()
  await expect.poll(async () => (await stateOf())?.state, waiting).toBe('LIVE')
  const before = found()
  mkdirSync(join(tree, 'c/d/e'), { recursive: true })
  for (let n = 0; n < 50; n++) write(`c/d/e/${n}`, 10)
  write('a/one', 150)
  rmSync(join(tree, 'a/b/two'))
  await expect.poll(() => totalsOf('live=true'), waiting).toEqual(found())
  expect(await totalsOf('')).toEqual(before)
  renameSync(join(tree, 'c/d'), join(tree, 'a/moved'))
  write('a/moved/e/last', 5)
  await expect.poll(() => totalsOf('live=true'), waiting).toEqual(found())
  const { folders } = await answerOf<{ folders: { path: string }[] }>('/v1/live/growing')
  expect(folders.map(({ path }) => path)).toContain('/a/moved/e')
  await scan()
  expect(await totalsOf('')).toEqual(found())
  await expect.poll(stateOf, waiting).toMatchObject({ state: 'LIVE', missed: { entries: 0 } })
}, 120_000)

test('after a restart the storage is live again, and a change shows what else changed in its folder', async () => {
  await product.kill()
  write('a/while-away', 7)
  const killed = Date.now()
  product = await startProduct(data, { environment })
  await expect.poll(async () => Date.parse((await stateOf())?.since ?? ''), waiting).toBeGreaterThan(killed)
  write('a/later', 3)
  await expect.poll(() => totalsOf('live=true'), waiting).toEqual(found())
}, 120_000)
