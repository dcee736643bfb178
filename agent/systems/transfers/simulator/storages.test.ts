import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { start } from '#agent/simulator/testing.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { type Ask, session, simulator } from './testing.ts'

async function withStorages(count: number) {
  const transfers = await simulator()
  for (let i = 1; i <= count; i++) transfers.addStorage(`st-${i}`, { createdAt: start + i, name: `Cloud ${count - i}` })
  return { transfers, ask: await session(transfers) }
}

/** All pages, by their links. */
async function idsOf(ask: Ask, path: string, afterPage = () => {}): Promise<string[]> {
  const { data, links } = (await ask(`GET ${path}`)).body
  afterPage()
  const ids = data.map(({ id }: { id: string }) => id)
  return links.next ? [...ids, ...(await idsOf(ask, links.next.slice(1), afterPage))] : ids
}

test('storages are listed in pages, with links and cursors', async () => {
  const { transfers, ask } = await withStorages(3)
  const { data, links, meta } = (await ask('GET storages?page[size]=2&sort=-createdAt')).body
  expect(data[0]).toEqual({
    id: 'st-3',
    attributes: {
      name: 'Cloud 0',
      account: 'acme',
      type: 'File',
      createdAt: '2026-11-21T10:00:00.003Z',
      stats: { capacityUsed: '1099511627776', capacityTotal: null },
    },
  })
  expect(meta.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false })
  const last = (await ask(`GET ${links.next.slice(1)}`)).body
  expect(last).toMatchObject({ data: [{ id: 'st-1' }], links: {}, meta: { pageInfo: { hasPreviousPage: true } } })
  Object.assign(transfers.readings, { capacities: 'number', lastLink: 'null' })
  const { body } = await ask('GET storages')
  expect(body.data[0].attributes.stats.capacityUsed).toBe(1_099_511_627_776)
  expect(body.links).toEqual({ next: null })
})

test('a storage that is removed between pages loses no other', async () => {
  const { transfers, ask } = await withStorages(1_000)
  expect(await idsOf(ask, 'storages?page[size]=300&sort=name')).toHaveLength(1_000)
  const ids = await idsOf(
    ask,
    'storages?page[size]=100&sort=-createdAt',
    () => void transfers.storages.delete('st-901'),
  )
  expect(new Set(ids).size).toBe(1_000)
})

test('wrong parameters of a page are refused', async () => {
  const { ask } = await withStorages(1)
  for (const query of ['page[size]=0', 'page[size]=1001', 'page[after]=x', 'sort=size', 'page=2'])
    expect((await ask(`GET storages?${query}`)).status).toBe(400)
})

test('folders are listed, with any name', async () => {
  const { transfers, ask } = await withStorages(1)
  const names = ['a b', '50% + #?&=', 'back\\slash', 'ü 🎬']
  for (const name of names) transfers.addFile('st-1', `/top/${name}/clip`)
  const list = (path: string) => ask(`GET storages/st-1/folders?path=${encodeURIComponent(path)}`)
  expect(
    (await list('/top')).body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name),
  ).toEqual(names)
  expect((await list('/')).body.data).toEqual([{ id: '/top', attributes: { name: 'top', path: '/top' } }])
  transfers.storages.get('st-1')!.deniedFolders.add('/top')
  expect((await list('/top')).status).toBe(403)
  expect((await list('/gone')).status).toBe(404)
  expect((await list('/../etc')).status).toBe(400)
  expect((await ask('GET storages/st-9/folders?path=/')).status).toBe(404)
})

test('a folder has 5,000 folders, and one of this machine is listed', async () => {
  const { transfers, ask } = await withStorages(1)
  for (let i = 0; i < 5_000; i++) transfers.storages.get('st-1')!.tree.addDirectory(`/f${i}`)
  expect((await ask('GET storages/st-1/folders?path=/')).body.data).toHaveLength(5_000)
  const folder = testFolder('storage')
  mkdirSync(join(folder, 'one/two'), { recursive: true })
  transfers.addStorage('disk', { folder })
  const { body } = await ask('GET storages/disk/folders?path=/one')
  expect(body.data).toEqual([{ id: '/one/two', attributes: { name: 'two', path: '/one/two' } }])
})
