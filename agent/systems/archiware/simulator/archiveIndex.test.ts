import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { type ArchiwareSimulator, changeIndexAtRandom, fillIndex, latestOf, pathOf } from './index.ts'
import { ask, now, simulator, withMedia } from './testing.ts'

const inventory = (p5: ArchiwareSimulator, path: string, index = 'Default-Archive') =>
  ask(p5, `GET archive/indexes/${index}/inventory${path}`)
const namesIn = async (...words: Parameters<typeof inventory>) =>
  (await inventory(...words)).body.inventory.map(({ name }: { name: string }) => name)

const missing = { status: 404, body: {} }

test('an inventory has one level, with archive times, the types as named and the links of siblings', async () => {
  const { p5 } = await withMedia()
  p5.indexes.get('Default-Archive')?.add('mnt/Projects/empty', { type: 'Directory' })
  const { body } = await inventory(p5, '/mnt/Projects')
  const file = { type: 'File', size: 734_003_200, btime: now, ctime: now, mtime: 1_699_990_000, links: [] }
  expect(body.inventory[0]).toEqual({ name: 'clip.mov', path: '', volumes: '10101 10102', ...file })
  const folder = { type: 'Directory', size: 0, btime: now, ctime: 0, mtime: 0, path: '', volumes: '' }
  const href = 'p5.example:8000/rest/v1/archive/indexes/Default-Archive/inventory/mnt/Projects/day%5E2fnight'
  expect(body.inventory[2]).toEqual({ name: 'empty', ...folder, links: [{ rel: 'self', href }] })
  Object.assign(p5.behavior, { volumeField: 'volumeid', volumeForm: 'list', fileType: 'Regular' })
  const [first] = (await inventory(p5, '/mnt/Projects')).body.inventory
  expect(first).toMatchObject({ type: 'Regular', volumeid: ['10101', '10102'] })
  for (const path of ['//mnt', '/MNT', '/mnt/Projects/clip.mov', '/x', '/mnt/'])
    expect(await inventory(p5, path)).toEqual(missing)
  expect(await inventory(p5, '/mnt', 'Other')).toEqual(missing)
})

test('names with colons and backslashes are found in caret form only', async () => {
  const { p5 } = await withMedia()
  expect(await namesIn(p5, '/mnt/Projects')).toEqual(['clip.mov', 'day^2fnight'])
  expect(await namesIn(p5, '/mnt/Projects/day%5E2fnight')).toEqual(['back^5cslash^5e'])
  for (const name of ['day:night', 'day%3Anight', 'day%2Fnight', 'day/night'])
    expect(await inventory(p5, `/mnt/Projects/${name}`)).toEqual(missing)
})

test('the top level is listed or not, and volume labels never are', async () => {
  const { p5 } = await withMedia()
  for (const root of ['', '/']) expect(await namesIn(p5, root)).toEqual(['mnt'])
  p5.behavior.listsRoot = false
  for (const root of ['', '/']) expect(await inventory(p5, root)).toEqual(missing)
  p5.addIndex('Imported', { isImported: true }).add('Import.0001/Volumes/Disk/a.mov')
  p5.behavior.listsRoot = true
  for (const path of ['', '/Import.0001', '/Volumes']) expect(await inventory(p5, path, 'Imported')).toEqual(missing)
  expect(await namesIn(p5, '/Import.0001/Volumes', 'Imported')).toEqual(['Disk'])
})

test('a dump writes the attributes in their order to a client, half of it while it runs', async () => {
  const { p5, index } = await withMedia()
  const folder = testFolder('dump')
  p5.addClient('studio', { folders: { '/mnt/dumps': folder } })
  index.change('mnt/Projects/clip.mov', { physicalPath: '/mnt/Projects/clip.mov' })
  const headers = { filename: 'studio:/mnt/dumps/all.txt', attributes: 'ppath volumes size btime user1' }
  const dump = ask(p5, 'PUT archive/indexes/Default-Archive', { headers })
  const file = join(folder, 'all.txt')
  await expect.poll(() => existsSync(file)).toBe(true)
  const half = readFileSync(file, 'utf8')
  p5.clock.advance(1_000)
  expect(await dump).toEqual({ status: 200, body: {} })
  const text = readFileSync(file, 'utf8')
  expect(text.startsWith(half) && text.length > half.length).toBe(true)
  const lines = text.trimEnd().split('\n')
  expect(lines).toContain(`/mnt/Projects/clip.mov\t/mnt/Projects/clip.mov\t10101 10102\t734003200\t${now}\t<empty>`)
  expect(lines).toContain(`/mnt/Projects/day^2fnight\t<empty>\t<empty>\t0\t${now}\t<empty>`)
  for (const filename of ['studio:/etc/passwd', 'studio:/mnt/dumps/../x', 'studio:/mnt/dumps/missing/x']) {
    const refused = await ask(p5, 'PUT archive/indexes/Default-Archive', { headers: { ...headers, filename } })
    expect(refused).toMatchObject({ status: 500, body: expect.stringMatching(/^Cannot write/) })
  }
  expect((await ask(p5, 'PUT archive/indexes/Default-Archive?filename=x')).status).toBe(500)
})

test('an index of 100,000 entries is the same each time and has a level of 5,000', async () => {
  const p5 = await simulator()
  fillIndex(p5.addIndex('A'), 100_000)
  expect([...p5.indexes.get('A')!.entries()].length).toBe(100_000)
  const filled = (count: number) => {
    const index = p5.addIndex('B')
    fillIndex(index, count)
    return [...index.entries()].map((entry) => [pathOf(entry), latestOf(entry)])
  }
  expect(filled(6_000)).toEqual(filled(6_000))
  expect(await namesIn(p5, '/mnt/Projects/plates', 'A')).toHaveLength(5_000)
  expect(await namesIn(p5, '/mnt/Projects/odd%20names', 'A')).toContain('a^2fb')
  for (const count of [0, 1, 5, 100]) {
    const small = p5.addIndex('small', { isImported: count === 100 })
    fillIndex(small, count)
    expect([...small.entries()].length).toBe(count)
  }
})

test('an entry of the other type replaces one of its name', async () => {
  const { index } = await withMedia()
  index.add('mnt/Projects/clip.mov/part', { size: 1 })
  index.add('mnt/Projects/day:night', { size: 2 })
  index.add('mnt/Projects/day:night', { size: 3 })
  expect(latestOf(index.find('mnt/Projects/clip.mov/part')!).size).toBe(1)
  expect(index.find('mnt/Projects/day:night')?.generations.map(({ size }) => size)).toEqual([2, 3])
})

test('random changes are the same for the same seed, and directory times change with their own entries', async () => {
  const p5 = await simulator()
  const changed = (seed: number) => {
    const index = p5.addIndex('changed')
    fillIndex(index, 300)
    changeIndexAtRandom(index, newRandom(seed), 500)
    return [...index.entries()].map((entry) => [pathOf(entry), entry.generations])
  }
  expect(changed(1)).toEqual(changed(1))
  expect(changed(2)).not.toEqual(changed(1))
  const index = p5.addIndex('times')
  index.add('a/b/c', { btime: 1 })
  for (const entry of index.entries()) latestOf(entry).btime = 1
  index.add('a/b/d', { btime: 9 })
  expect(['a', 'a/b'].map((path) => latestOf(index.find(path)!).btime)).toEqual([1, 9])
})
