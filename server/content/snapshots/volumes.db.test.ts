import { beforeAll, expect, test } from 'vitest'
import type { Volume } from '#events/snapshots.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testSession } from '#server/testing.ts'
import { snapshotRoutes } from './index.ts'
import { newVolume } from './oracle/scanDisk.ts'
import { scanFolders } from './oracle/scanFolders.ts'

const platform = await testPlatform()
const ask = asUser(createApp(platform, snapshotRoutes(platform)), await testSession(platform.db, []))

type Page = { elements: Volume[]; page: number; total: number; size: number; sort: string; direction: string }
const page = async (query = ''): Promise<Page> => (await ask('GET', `/api/v1/volumes?${query}`).expect(200)).body
const names = async (query: string) => (await page(query)).elements.map(({ name }) => name).join(' ')

beforeAll(async () => {
  const ids = new Map<string, number>()
  for (const name of ['beta', 'Alpha', 'delta']) ids.set(name, await newVolume(platform, name))
  const scan = (name: string, indexingDate: string, sizes: number[]) =>
    scanFolders(platform, { volumeId: ids.get(name) ?? 0, indexingDate }, [
      { path: '', entries: sizes.map((size, at) => ({ path: `/${at}.mov`, size, inode: at + 2 })) },
    ])
  await scan('beta', '2026-01-01', [10])
  await scan('Alpha', '2026-01-01', [5, 6])
  await scan('Alpha', '2026-01-10', [5, 6, 7])
  await scan('delta', '2026-01-10', [1])
})

test('storages are returned by name, in any case, and in the requested order', async () => {
  expect(await page()).toMatchObject({ page: 1, total: 3, size: 25, sort: 'name', direction: 'asc' })
  expect(await names('')).toBe('Alpha beta delta')
  expect(await names('sort=name&direction=desc')).toBe('delta beta Alpha')
  expect(await names('sort=sizeOfFiles,desc')).toBe('Alpha beta delta')
  expect(await names('sort=numberOfFiles&direction=ASC')).toBe('beta delta Alpha')
  const { status, body } = await ask('GET', '/api/v1/volumes?sort=storagePrice')
  expect([status, body.subErrors[0].field]).toEqual([400, 'sort'])
})

test('pages of any size have each storage once, and beyond the last there is none', async () => {
  expect([await names('size=2'), await names('size=2&page=2'), await names('size=2&page=3')]).toEqual([
    'Alpha beta',
    'delta',
    '',
  ])
  expect(await page('size=2&page=3')).toMatchObject({ page: 3, size: 2, total: 3 })
  expect(await names('size=1000')).toBe('Alpha beta delta')
  for (const [query, field] of [
    ['size=0', 'size'],
    ['size=1001', 'size'],
    ['page=0', 'page'],
  ] as const) {
    const { status, body } = await ask('GET', `/api/v1/volumes?${query}`)
    expect([query, status, body.subErrors[0].field]).toEqual([query, 400, field])
  }
})

test('a date without a snapshot of its own is answered by the newest one before it', async () => {
  const shown = async (indexingDate: string) =>
    (await page(`indexingDate=${indexingDate}`)).elements.map((volume) => [
      volume.name,
      volume.indexingDate,
      volume.sizeOfFiles,
      volume.numberOfFiles,
    ])
  const first = [
    ['Alpha', '2026-01-01', 11, 2],
    ['beta', '2026-01-01', 10, 1],
  ]
  const second = [
    ['Alpha', '2026-01-10', 18, 3],
    ['beta', '2026-01-01', 10, 1],
    ['delta', '2026-01-10', 1, 1],
  ]
  expect(await shown('2025-12-31')).toEqual([])
  for (const date of ['2026-01-01', '2026-01-05', '2026-01-09'])
    expect([date, await shown(date)]).toEqual([date, first])
  for (const date of ['2026-01-10', '2026-01-11', '2030-01-01'])
    expect([date, await shown(date)]).toEqual([date, second])
})
