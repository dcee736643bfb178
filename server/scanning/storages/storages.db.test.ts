import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { ActiveVolume, Storage } from '#events/storages.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testSession } from '#server/testing.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { storageRoutes } from './index.ts'

const platform = await testPlatform()
const { db } = platform
const ask = asUser(createApp(platform, storageRoutes(platform)), await testSession(db, []))

beforeEach(async () => {
  await sql`TRUNCATE volumes, scans, snapshots RESTART IDENTITY CASCADE`.execute(db)
})

let task = 0
const volume = (name: string) => createFileStorage(db, { name, path: `/${name}` })
type ScanResults = {
  bytes?: number
  capacityTotal?: number
  capacityUsed?: number
  capacityFree?: number
  fileSystem?: string
}
/** A date that shows a volume with these scan results. */
async function show(volumeId: number, indexingDate: string, found: ScanResults) {
  const row = { volumeId, indexingDate, state: 'done', jobId: 1, taskId: ++task, agentId: 1, ...found } as const
  const { id } = await db.insertInto('scans').values(row).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('snapshots').values({ indexingDate, volumeId, scanId: id }).execute()
}

const page = async (query: string) => (await ask('GET', `/api/v1/storages?${query}`).expect(200)).body
const names = ({ elements }: { elements: Storage[] }) => elements.map(({ name }) => name).join('')

/** All pages one after another, as 'SHOW MORE' reads them. */
async function allPages(query: string, between = async () => {}): Promise<string[]> {
  const pages: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await page(`${query}${cursor && `&endCursor=${cursor}`}`)
    expect(answer.hasPreviousPage).toBe(pages.length > 0)
    pages.push(names(answer))
    cursor = answer.hasNextPage ? answer.endCursor : null
    await between()
  }
  return pages
}

test('storages are returned newest first, or in the requested order, and each cursor resumes where the page before ended', async () => {
  for (const name of ['b', 'D', 'a', 'C', 'e']) await volume(name)
  expect(await allPages('')).toEqual(['eCaDb'])
  expect(await allPages('size=2')).toEqual(['eC', 'aD', 'b'])
  expect(await allPages('size=2&sort=created_at&direction=ASC')).toEqual(['bD', 'aC', 'e'])
  expect(await allPages('size=3&sort=NAME&direction=asc')).toEqual(['abC', 'De'])
  expect(await allPages('size=5&sort=TYPE')).toEqual(['eCaDb'])
  expect(await page('')).toMatchObject({ size: 1000, sort: 'CREATED_AT', direction: 'desc', hasPreviousPage: false })
})

test('pages by name are in the order of people', async () => {
  for (const name of ['zoo', 'film 10', 'Film 2', 'Ärzte', 'apple']) await volume(name)
  expect(await allPages('size=2&sort=NAME&direction=asc')).toEqual(['appleÄrzte', 'Film 2film 10', 'zoo'])
  expect(await allPages('size=3&sort=NAME&direction=desc')).toEqual(['zoofilm 10Film 2', 'Ärzteapple'])
})

test('capacity belongs to the requested date, and unknown capacity sorts as the smallest', async () => {
  const [a, b] = [await volume('a'), await volume('b'), await volume('c')]
  await show(a, '2026-01-01', { capacityUsed: 5 })
  await show(a, '2026-01-02', { capacityUsed: 8 })
  await show(b, '2026-01-02', { capacityUsed: 9 })
  expect(await allPages('size=1&sort=CAPACITY_USED')).toEqual(['b', 'a', 'c'])
  expect(await allPages('size=2&sort=CAPACITY_USED&indexingDate=2026-01-01')).toEqual(['ac', 'b'])
  const days = ['2025-12-31', '2026-01-01', '2026-01-09'].map((day) => page(`indexingDate=${day}`))
  expect((await Promise.all(days)).map(({ indexingDate }) => indexingDate)).toEqual([null, '2026-01-01', '2026-01-02'])
  expect((await page('sort=NAME&direction=asc&indexingDate=2026-01-01')).elements).toMatchObject([
    {
      id: a,
      name: 'a',
      account: null,
      type: 'crawl.files',
      stats: { capacityUsed: 5, capacityTotal: null, fileSystem: null },
    },
    { name: 'b', stats: { capacityUsed: null } },
    { name: 'c' },
  ])
})

test('available space is the space for users, and the same for all storages of a disk', async () => {
  const [a, b] = [await volume('a'), await volume('b')]
  const disk = { capacityTotal: 100, fileSystem: 'north:1' }
  await show(b, '2026-01-01', { ...disk, capacityUsed: 20, capacityFree: 70 })
  await show(a, '2026-01-01', { ...disk, capacityUsed: 25, capacityFree: 65 })
  const { elements } = await page('sort=NAME')
  const same = { capacityTotal: 100, capacityUsed: 25, capacityFree: 65, fileSystem: 'north:1' }
  expect(elements.map(({ stats }: Storage) => stats)).toEqual([same, same])
  const [details] = (await ask('GET', `/api/v1/detailedVolumes/${b}`).expect(200)).body.elements
  expect(details).toMatchObject({ used: 25, free: 65, fileSystem: 'north:1', sharedWith: ['a'], fullPath: '/b' })
})

test('storages added and removed between two pages neither repeat nor skip others', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await volume(name)
  let turn = 0
  const gone = ['b', 'e']
  const between = async () => {
    await volume(`A${turn}`)
    await db
      .updateTable('volumes')
      .set({ deletedAt: new Date() })
      .where('name', '=', gone[turn++] ?? '')
      .execute()
  }
  expect(await allPages('size=2&sort=NAME&direction=asc', between)).toEqual(['ab', 'cd', 'f'])
})

test('a cursor without a letter is none', async () => {
  for (const name of ['a', 'b']) await volume(name)
  expect(await page('size=1&endCursor=')).toEqual(await page('size=1'))
})

test('a cursor that is none is refused by name', async () => {
  await volume('a')
  const { endCursor } = await page('sort=NAME')
  const forged = (place: unknown) => Buffer.from(JSON.stringify(place)).toString('base64url')
  const wrong = [
    'x',
    '%00',
    "' OR 1=1 --",
    `${endCursor}x`,
    forged(null),
    forged({ sort: 'NAME', value: 1, id: 1 }),
    forged({ sort: 'NAME', value: 'a\0', id: 1 }),
    forged({ sort: 'NAME', value: 'a', id: 1e12 }),
    forged({ sort: 'CREATED_AT', value: 1, id: 1 }),
    'x'.repeat(10_000),
  ]
  for (const cursor of wrong) {
    const { status, body } = await ask('GET', `/api/v1/storages?sort=NAME&endCursor=${cursor}`)
    expect([cursor, status, body.subErrors?.[0].field]).toEqual([cursor, 400, 'endCursor'])
  }
  await ask('GET', `/api/v1/storages?sort=TYPE&endCursor=${endCursor}`).expect(400)
  await ask('GET', '/api/v1/storages?sort=path').expect(400)
})

const active = async (query = ''): Promise<ActiveVolume[]> =>
  (await ask('GET', `/api/v1/volumes/mostActiveVolumes?${query}`).expect(200)).body

test('the most active storages are those whose size changed most since the snapshot a number of days before', async () => {
  const [grows, shrinks, same, young, alone] = [
    await volume('grows'),
    await volume('shrinks'),
    await volume('same'),
    await volume('young'),
    await volume('alone'),
  ]
  await show(grows, '2026-01-01', { bytes: 0 })
  await show(grows, '2026-02-20', { bytes: 100 })
  await show(grows, '2026-03-31', { bytes: 150 })
  for (const [date, bytes] of [
    ['2026-03-01', 1_000],
    ['2026-03-24', 400],
    ['2026-03-31', 600],
  ] as const)
    await show(shrinks, date, { bytes })
  for (const date of ['2026-03-01', '2026-03-31']) await show(same, date, { bytes: 7 })
  for (const [date, bytes] of [
    ['2026-03-20', 10],
    ['2026-03-31', 11],
  ] as const)
    await show(young, date, { bytes })
  await show(alone, '2026-03-31', { bytes: 9 })

  expect(await active()).toEqual([
    {
      id: shrinks,
      name: 'shrinks',
      type: 'crawl.files',
      indexingDate: '2026-03-31',
      previousIndexingDate: '2026-03-01',
      sizeOfFiles: 600,
      previousSizeOfFiles: 1_000,
      variation: -400,
      variationPercentage: -40,
    },
    expect.objectContaining({ id: grows, previousIndexingDate: '2026-02-20', variation: 50, variationPercentage: 50 }),
    expect.objectContaining({ id: young, previousIndexingDate: '2026-03-20', variation: 1 }),
  ])
  const week = await active('duration=7&type=days&size=1&indexingDate=2026-04-05')
  expect(week).toMatchObject([{ id: shrinks, previousIndexingDate: '2026-03-24', variation: 200 }])
  const year = await active('duration=365')
  expect(year[1]).toMatchObject({ id: grows, previousIndexingDate: '2026-01-01', variationPercentage: null })
  expect(await active('indexingDate=2025-12-31')).toEqual([])
  const { body } = await ask('GET', '/api/v1/volumes/mostActiveVolumes?type=weeks&duration=0').expect(400)
  expect(body.subErrors.map(({ field }: { field: string }) => field)).toEqual(['type', 'duration'])
})
