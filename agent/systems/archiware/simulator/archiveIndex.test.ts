import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newRandom } from '#server/snapshots/model/random.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { type ArchiwareSimulator, changeIndexAtRandom, fillIndex, latestOf, pathOf } from './index.ts'
import { ask, simulator, start } from './testing.ts'

const now = start / 1_000
const inventory = (p5: ArchiwareSimulator, path: string, index = 'Default-Archive') =>
  ask(p5, `GET archive/indexes/${index}/inventory${path}`)
const namesIn = async (...words: Parameters<typeof inventory>) =>
  (await inventory(...words)).body.inventory.map(({ name }: { name: string }) => name)

const missing = { status: 404, body: {} }

async function withMedia() {
  const p5 = await simulator()
  const index = p5.indexes.get('Default-Archive')!
  index.add('mnt/Projects/clip.mov', { size: 734_003_200, mtime: 1_699_990_000, volumes: ['10101', '10102'] })
  index.add('mnt/Projects/day:night/back\\slash^', { size: 5 })
  return { p5, index }
}

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

test('the handle of a path is found by headers, with the slash that the path needs', async () => {
  const { p5, index } = await withMedia()
  index.add('mnt/with', { leadingSlash: 'required' })
  index.add('mnt/without', { leadingSlash: 'refused' })
  const find = (path: string, headers = {}) =>
    ask(p5, 'GET archive/entries', { headers: { client: 'localhost', path, ...headers } })
  const statuses = await Promise.all(['/mnt/with', 'mnt/with', '/mnt/without', 'mnt/without'].map((path) => find(path)))
  expect(statuses.map(({ status }) => status)).toEqual([200, 500, 500, 200])
  expect((await find('/mnt/gone')).body).toBe('Cannot resolve handle for "/mnt/gone": unknown entry')
  expect((await find('/mnt/with', { client: 'nobody' })).status).toBe(500)
  expect((await ask(p5, 'GET archive/entries?client=localhost&path=/mnt/with')).status).toBe(500)
  const { ID } = (await find('/mnt/with')).body
  expect(ID).toMatch(/^Default-Archive#/)
  p5.behavior.entryAnswer = 'list'
  expect((await find('/mnt/with')).body.entries[0].ID).toBe(ID)
  index.change('mnt/with', { size: 9, btime: now + 5 })
  const details = (await ask(p5, `GET archive/entries/${encodeURIComponent(ID)}`)).body
  expect(details).toMatchObject({ status: 'indexed', btime: [now, now + 5], size: [0, 9] })
})

test('paths in headers are plain or percent-encoded, as the switch says', async () => {
  const { p5, index } = await withMedia()
  index.add('mnt/Réel 1')
  const raw = Buffer.from('/mnt/Réel 1').toString('latin1')
  const statusOf = async (path: string) =>
    (await ask(p5, 'GET archive/entries', { headers: { client: 'localhost', path } })).status
  expect([await statusOf(raw), await statusOf('/mnt/R%C3%A9el%201')]).toEqual([200, 500])
  p5.behavior.headerEncoding = 'percent'
  expect(await statusOf('/mnt/R%C3%A9el%201')).toBe(200)
})

test('an entry of an imported index has a path without the volume label', async () => {
  const p5 = await simulator()
  p5.addIndex('Imported', { isImported: true }).add('Import.0001/Volumes/Disk/a.mov')
  const statusOf = async (path: string, database = {}) =>
    (await ask(p5, 'GET archive/entries', { headers: { client: 'localhost', path, ...database } })).status
  expect(await statusOf('/Volumes/Disk/a.mov', { database: 'Imported' })).toBe(200)
  expect(await statusOf('/Volumes/Disk/a.mov')).toBe(500)
  expect(await statusOf('Volumes/Disk/a.mov', { database: 'Imported' })).toBe(500)
  expect(await statusOf('/Import.0001/Volumes/Disk/a.mov', { database: 'Imported' })).toBe(500)
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
  const elsewhere = { ...headers, filename: 'studio:/etc/passwd' }
  expect((await ask(p5, 'PUT archive/indexes/Default-Archive', { headers: elsewhere })).status).toBe(500)
  expect((await ask(p5, 'PUT archive/indexes/Default-Archive?filename=x')).status).toBe(500)
})

test('an index of 100,000 entries is the same each time, has a level of 5,000 and fills quickly', async () => {
  const p5 = await simulator()
  const [first, second] = [p5.addIndex('A'), p5.addIndex('B')]
  for (const index of [first, second]) fillIndex(index, 100_000)
  const paths = [...first.entries()].map((entry) => `${pathOf(entry)} ${JSON.stringify(latestOf(entry))}`)
  expect(paths).toHaveLength(100_000)
  expect([...second.entries()].map((entry) => `${pathOf(entry)} ${JSON.stringify(latestOf(entry))}`)).toEqual(paths)
  expect(await namesIn(p5, '/mnt/Projects/plates', 'A')).toHaveLength(5_000)
  expect(await namesIn(p5, '/mnt/Projects/odd%20names', 'A')).toContain('a^2fb')
  for (const count of [0, 1, 5, 100]) {
    const small = p5.addIndex('small', { isImported: count === 100 })
    fillIndex(small, count)
    expect([...small.entries()]).toHaveLength(count)
  }
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
  for (const [directoryTimes, times] of Object.entries({ own: [1, 9], subtree: [9, 9], fixed: [1, 1] })) {
    const index = p5.addIndex('times', { directoryTimes: directoryTimes as 'own' })
    index.add('a/b/c', { btime: 1 })
    for (const entry of index.entries()) latestOf(entry).btime = 1
    index.add('a/b/d', { btime: 9 })
    expect(['a', 'a/b'].map((path) => latestOf(index.find(path)!).btime)).toEqual(times)
  }
})
