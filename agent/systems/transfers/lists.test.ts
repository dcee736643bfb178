import { expect, test } from 'vitest'
import { listTransfers } from '../../requestHandlers.ts'
import { listFolders, listStorages } from './lists.ts'
import { callsTo, connectionTo, timingOf, withFiles } from './testing.ts'

const { signal } = new AbortController()

test.each([1_000, 100, 7])('all storages are listed by name, in pages of at most %i', async (maxPageSize) => {
  const { transfers } = await withFiles([], { readings: { maxPageSize } })
  for (let i = 0; i < 230; i++) transfers.addStorage(`cloud-${i}`, { name: `Cloud ${String(i).padStart(3, '0')}` })
  const storages = await listStorages(connectionTo(transfers), signal)
  expect(storages).toHaveLength(232)
  expect(storages.slice(0, 2).map(({ name }) => name)).toEqual(['Cloud 000', 'Cloud 001'])
})

test('a storage that is removed between pages loses no other', async () => {
  const { transfers } = await withFiles([])
  for (let i = 0; i < 230; i++) transfers.addStorage(`cloud-${i}`)
  const removeOne = () => void transfers.storages.delete('cloud-99')
  const timing = timingOf(transfers)
  transfers.faults.delayNext('GET storages', 20, { skip: 1 })
  const listed = listStorages(connectionTo(transfers), signal, { timing })
  await expect.poll(() => callsTo(transfers, 'GET /storages').length, { interval: 1 }).toBe(2)
  removeOne()
  const ids = (await listed).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBeGreaterThanOrEqual(231)
})

test.each(['text', 'number'] as const)('capacities are numbers or unknown (%s)', async (capacities) => {
  const { transfers } = await withFiles([], { readings: { capacities } })
  transfers.addStorage('st-3', { name: 'Z', type: 'Wasabi', capacityUsed: 5, capacityTotal: 10 })
  const storages = await listStorages(connectionTo(transfers), signal)
  expect(storages.map(({ capacityUsed, capacityTotal }) => [capacityUsed, capacityTotal])).toEqual([
    [1_099_511_627_776, null],
    [1_099_511_627_776, null],
    [5, 10],
  ])
  expect(storages[2]).toMatchObject({ id: 'st-3', name: 'Z', account: 'acme', type: 'Wasabi' })
})

test('storages may have fewer attributes, and a page that repeats itself ends the list', async () => {
  const { transfers } = await withFiles([])
  const list = () => listStorages(connectionTo(transfers), signal)
  transfers.faults.failNext('GET storages', 200, { data: [{ id: 7, attributes: { stats: { capacityUsed: ' ' } } }] })
  expect(await list()).toEqual([{ id: '7', name: '7', account: '', type: '', capacityUsed: null, capacityTotal: null }])
  const page = { data: [], links: { next: { href: 'https://elsewhere.example/storages?page[after]=c1' } } }
  transfers.faults.failNext('GET storages', 200, page, { times: 3 })
  await expect(list()).rejects.toThrow('repeats a page and never ends')
  transfers.faults.clear()
  transfers.faults.failNext('GET storages', 200, { data: [], meta: { pageInfo: { hasNextPage: true } } })
  await expect(list()).rejects.toThrow('repeats a page and never ends')
})

test('folders are listed by name, with any name', async () => {
  const { transfers } = await withFiles([])
  const names = ['back\\slash', 'a b', '50% + #?&=', 'ü 🎬', 'line\nbreak']
  for (const name of names) transfers.addFile('st-2', `/top/${name}/clip`)
  const list = (path: string) => listFolders(connectionTo(transfers), 'st-2', path, signal)
  expect((await list('')).map(({ name }) => name)).toEqual(['top'])
  const folders = await list('/top/')
  expect(folders.map(({ path }) => path).sort()).toEqual(names.map((name) => `/top/${name}`).sort())
  transfers.storages.get('st-2')!.deniedFolders.add('/top')
  await expect(list('/top')).rejects.toThrow('does not let the client dataintell list the folder /top')
  await expect(list('/gone')).rejects.toThrow("can't list the folder /gone")
  for (let i = 0; i < 5_000; i++) transfers.storages.get('st-2')!.tree.addDirectory(`/many/f${i}`)
  expect(await list('/many')).toHaveLength(5_000)
})

test('a request of the server is answered with a list, or the reason why there is none', async () => {
  const { transfers } = await withFiles([])
  const ask = (question: object) => listTransfers(JSON.stringify({ connection: connectionTo(transfers), ...question }))
  expect(await ask({ list: 'storages' })).toMatchObject({
    failure: null,
    storages: [{ id: 'st-2' }, { id: 'st-1' }],
    folders: [],
  })
  transfers.addFile('st-2', '/top/clip')
  expect(await ask({ list: 'folders', storageId: 'st-2', path: '/' })).toEqual({
    failure: null,
    storages: [],
    folders: [{ name: 'top', path: '/top' }],
  })
  expect(await ask({ list: 'folders', storageId: 'st-9', path: '/' })).toEqual({
    failure: {
      message: "The transfer service at 127.0.0.1 can't list the folder /: Not Found: storage st-9",
      debugMessage: 'Not Found: storage st-9',
    },
    storages: [],
    folders: [],
  })
  expect(
    (await ask({ list: 'storages', connection: { ...connectionTo(transfers), url: 'x' } })).failure?.message,
  ).toContain('The URL of the transfer service')
})
