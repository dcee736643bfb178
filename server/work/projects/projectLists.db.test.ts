import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { ListedProject } from '#events/projects/calls.ts'
import { historyOf } from './projectHistory.ts'
import { testProjects } from './testing.ts'

const { db, manager, admin, reader, films, sound, draft, create, find, list, count } = await testProjects()

test('projects are listed by name, found by name or description, and sorted by what they show', async () => {
  const paths = (path: string) => [{ volumeId: films, path }]
  const a = await create({ name: 'beta', description: '50% of it', paths: paths('/b') })
  const b = await create({ name: 'Alpha', paths: paths('/a'), allocatedSize: 5 })
  const c = await create({ name: "C'; DROP TABLE projects; --", description: '', paths: [] })
  await count(films, '2026-01-01', { '/a': 100, '/b': 200 })
  const ids = async (query: string) => (await list(query)).elements.map(({ id }: ListedProject) => id)
  expect(await list()).toMatchObject({ page: 1, size: 25, total: 3, sort: 'name', direction: 'asc' })
  expect(await ids('')).toEqual([b, a, c])
  expect(await ids('filter=ALP')).toEqual([b])
  expect(await ids('filter=50%25')).toEqual([a])
  expect(await ids('filter=_')).toEqual([])
  expect(await ids('sort=sizeOfFiles&direction=desc')).toEqual([a, b, c])
  expect(await ids('sort=allocatedSize,asc&size=1&page=1')).toEqual([b])
  await reader('GET', '/api/v1/projects?sort=password').expect(400)
  expect((await list('filter=alpha')).elements[0]).toMatchObject({ sizeOfFiles: 100, costs: [], loadingReport: false })
})

test('costs are per year, by the price of the date and by currency', async () => {
  const gib = 2 ** 30
  const books = [
    { description: 'Hot', currencySymbol: '€', price: 12 },
    { description: 'Cold', currencySymbol: '$', price: 2 },
  ]
  for (const [i, { description, currencySymbol, price }] of books.entries()) {
    const row = db.insertInto('storagePrices').values({ description }).returning('id')
    const { id } = await row.executeTakeFirstOrThrow()
    const since = '2026-01-01'
    await db
      .insertInto('storagePriceChanges')
      .values({ storagePriceId: id, since, currencySymbol, price, classPrices: '[]' })
      .execute()
    await db
      .insertInto('volumePriceChanges')
      .values({ volumeId: [films, sound][i] ?? 0, since, storagePriceId: id })
      .execute()
  }
  const id = await create({
    paths: [
      { volumeId: films, path: '/a' },
      { volumeId: films, path: '/a/b' },
      { volumeId: sound, path: '/' },
    ],
  })
  await count(films, '2026-01-01', { '/a': 3 * gib, '/a/b': gib })
  await count(sound, '2026-01-01', { '/': gib / 2 })
  expect((await list()).elements[0].costs).toEqual([
    { currencySymbol: '$', perYear: 1 },
    { currencySymbol: '€', perYear: 36 },
  ])
  expect((await find(id)).projectShares[0]?.storagePrice).toMatchObject({ price: 12, currencySymbol: '€' })
})

test('the history has every counted date, newest first, of some days or up to one', async () => {
  const id = await create({ paths: [{ volumeId: films, path: '/a' }] })
  await count(films, '2026-01-01', { '/a': 1 })
  await count(films, '2026-01-02', {})
  await count(films, '2026-01-03', { '/a': 3 })
  await count(sound, '2026-01-04', {})
  await count(films, '2026-01-05', { '/a': 5 })
  const history = async (query = '') => {
    const { body } = await reader('GET', `/api/v1/projects/${id}/history?${query}`).expect(200)
    return body.map(({ indexingDate, sizeOfFiles }: { indexingDate: string; sizeOfFiles: number }) => [
      Number(indexingDate.slice(-2)),
      sizeOfFiles,
    ])
  }
  const all = [
    [5, 5],
    [4, 0],
    [3, 3],
    [1, 1],
  ]
  expect(await history()).toEqual(all)
  expect(await history('size=2')).toEqual(all.slice(0, 2))
  expect(await history('indexingDate=2026-01-03')).toEqual(all.slice(2))
  expect(await history('from=2026-01-03&to=2026-01-04')).toEqual(all.slice(1, 3))
  await reader('GET', `/api/v1/projects/${id}/history?from=yesterday`).expect(400)
})

test('the history of many folders and dates is read from an index alone', async () => {
  const id = await create({ paths: [{ volumeId: films, path: '/a' }] })
  for (const day of ['2026-01-01', '2026-01-02']) await count(films, day, { '/a': 1 })
  const trx = await db.startTransaction().execute()
  // With so few rows the planner would prefer to read all, or by their date.
  for (const way of ['seqscan', 'bitmapscan']) await sql`SET LOCAL ${sql.raw(`enable_${way}`)} = off`.execute(trx)
  await sql`DROP INDEX folder_figures_of_dates`.execute(trx)
  const { rows } = await sql<Record<string, string>>`EXPLAIN ${historyOf(id, { size: 1_000 })}`.execute(trx)
  await trx.rollback().execute()
  const plan = rows.flatMap((row) => Object.values(row)).join('\n')
  expect(plan).toMatch(/Index Only Scan using folder_figures_pkey/)
})

test('changes of folders are reported with their user, and other changes are not', async () => {
  const id = await create({ paths: [{ volumeId: films, path: '/a' }] })
  await manager('PUT', '/api/projects', { ...draft, id, paths: [{ volumeId: films, path: '/a' }], name: 'New' })
  await admin('PUT', '/api/projects', { ...draft, id, paths: [{ volumeId: sound, path: '/' }] })
  const { body } = await reader('GET', `/api/v1/projects/${id}/changes`).expect(200)
  expect(body).toEqual([
    { at: expect.any(String), by: expect.any(String), added: ['/mnt/films/a'], removed: [] },
    { at: expect.any(String), by: expect.any(String), added: ['/mnt/sound'], removed: ['/mnt/films/a'] },
  ])
  expect(body[0].by).not.toBe(body[1].by)
})

test('the most active projects are those whose size changed most', async () => {
  for (const path of ['/grows', '/shrinks', '/same']) await create({ name: path, paths: [{ volumeId: films, path }] })
  await count(films, '2026-01-01', { '/grows': 1, '/shrinks': 900, '/same': 5 })
  await count(films, '2026-01-20', { '/grows': 50, '/shrinks': 100, '/same': 5 })
  await count(films, '2026-02-01', { '/grows': 100, '/shrinks': 90, '/same': 5 })
  const active = async (query = '') =>
    (await reader('GET', `/api/v1/projects/mostActiveProjects?${query}`).expect(200)).body.map(
      ({ name, variation }: { name: string; variation: number }) => [name, variation],
    )
  const wide = [
    ['/shrinks', -810],
    ['/grows', 99],
  ]
  expect(await active()).toEqual(wide)
  expect(await active('size=1&type=days&duration=30')).toEqual(wide.slice(0, 1))
  expect(await active('duration=365')).toEqual(wide)
  expect(await active('duration=7')).toEqual([
    ['/grows', 50],
    ['/shrinks', -10],
  ])
  expect(await active('indexingDate=2026-01-01')).toEqual([])
  await reader('GET', '/api/v1/projects/mostActiveProjects?type=weeks').expect(400)
})

test('the forecast continues the last 90 days before the active date', async () => {
  const id = await create({ paths: [{ volumeId: films, path: '/a' }], allocatedSize: 200 })
  const forecast = async (query = '') =>
    (await reader('GET', `/api/v1/projects/${id}/forecast?${query}`).expect(200)).body
  expect(await forecast()).toEqual({ indexingDate: null, days: null, earliest: null, latest: null, bytesPerDay: null })
  await count(films, '2025-01-01', { '/a': 5_000 })
  for (const [day, size] of [100, 110, 120, 130].entries()) await count(films, `2026-01-0${day + 1}`, { '/a': size })
  await count(films, '2026-01-05', {})
  const certain = { days: 7, earliest: 7, latest: 7, bytesPerDay: 10 }
  expect(await forecast('indexingDate=2026-01-04')).toEqual({ indexingDate: '2026-01-04', ...certain })
  await reader('GET', '/api/v1/projects/99/forecast').expect(404)
})
