import { beforeAll, expect, test } from 'vitest'
import type { Entry } from '#events/entries.ts'
import type { ImportRecord } from '#events/imports/imports.ts'
import { createApp } from '#server/app.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { snapshotRoutes } from '#server/content/snapshots/index.ts'
import { removeUnshown } from '#server/content/snapshots/retention/removeUnshown.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { comparisonRoutes } from '#server/questions/comparison/index.ts'
import { searchRoutes } from '#server/questions/search/index.ts'
import { folderRoutes } from '#server/questions/folders/index.ts'
import { asUser, testSession, testUser } from '#server/testing.ts'
import { importRoutes } from './index.ts'
import { changeTree, commitAndWait, findExport, newTree, scanTree, type Tree, upload } from './testing.ts'

const platform = await testPlatform()
const routes = [
  ...importRoutes(platform),
  ...snapshotRoutes(platform),
  ...comparisonRoutes(platform),
  ...folderRoutes(platform),
  ...searchRoutes(platform),
]
const ask = asUser(createApp(platform, routes), await testSession(platform.db, ['ROLE_ADMIN']))
const random = newRandom(31)

const dates = [1, 2, 3, 4, 5, 6].map((month) => `2025-0${month}-15`)
const states: Tree[] = []
const ids = { scanned: 0, imported: 0 }
const imports: ImportRecord[] = []

/** Entries without what tells scans from imports. */
async function entries(volumeId: number, date: string) {
  const rows = await readRows(platform, volumeId, date)
  const root = { created: 0, mode: 0 }
  return [...rows].map(([key, { fromScan: _, previousPath: __, ...row }]) => [
    key,
    row.parentPath === '' ? { ...row, ...root } : row,
  ])
}

beforeAll(async () => {
  ids.scanned = await newVolume(platform, 'Scanned')
  ids.imported = await newVolume(platform, 'Imported')
  const tree = newTree(random, 120)
  for (const date of dates) {
    await scanTree(platform, ids.scanned, date, tree)
    states.push(structuredClone(tree))
    changeTree(random, tree, 40)
  }
  for (const at of [3, 0, 4, 1, 5, 2]) {
    const found = await upload(
      ask,
      { storageId: ids.imported, date: dates[at] ?? '', format: 'find' },
      findExport(random, states[at] as Tree),
    )
    imports.push(await commitAndWait(ask, found.id))
  }
})

test('exports imported in any order equal the scans of the same days, entry by entry', async () => {
  const committed = { state: 'COMMITTED', reason: null, missing: ['creation times'], comparison: null }
  expect(imports).toEqual(dates.map(() => expect.objectContaining(committed)))
  for (const date of dates)
    expect([date, await entries(ids.imported, date)]).toEqual([date, await entries(ids.scanned, date)])
})

test('the two storages have the same growth, folder by folder and as totals of each day', async () => {
  const volumes = async (date: string) => {
    const { body } = await ask('GET', `/api/v1/volumes?indexingDate=${date}`).expect(200)
    return body.elements.map(
      ({ id: _, name: __, path: ___, fullPath: ____, ...volume }: object & Record<string, unknown>) => volume,
    )
  }
  for (const date of dates) {
    const [one, other] = await volumes(date)
    expect([date, one.indexingDate, one]).toEqual([date, date, other])
  }
  const { body } = await ask('GET', `/api/administration/dates`).expect(200)
  const imports = [{ format: 'find', missing: ['creation times'] }]
  expect(body).toEqual(
    dates.toReversed().map((indexingDate) => ({ indexingDate, volumes: 2, isPartial: false, imports })),
  )
})

test('a comparison of imported days finds the changes that scans found, and names the origin', async () => {
  const compare = async (storage: number, from: string, to: string) => {
    const path = `/api/v1/comparisons/${from}?indexingDate=${to}&path=/&storageId=${storage}`
    return (await ask('GET', path).expect(200)).body
  }
  for (const [from, to] of [
    [0, 1],
    [1, 5],
    [2, 4],
  ] as const) {
    const [scanned, imported] = [
      await compare(ids.scanned, dates[from] ?? '', dates[to] ?? ''),
      await compare(ids.imported, dates[from] ?? '', dates[to] ?? ''),
    ]
    expect(imported).toEqual({ ...scanned, imports: [{ format: 'find', missing: ['creation times'] }] })
  }
})

test('a storage with imports is scanned, and growth from an import to the scan counts by path', async () => {
  const tree = states.at(-1) as Tree
  changeTree(random, tree, 30)
  await scanTree(platform, ids.imported, '2025-08-01', tree)
  await scanTree(platform, ids.scanned, '2025-08-01', tree)
  const growth = async (storage: number) =>
    (await ask('GET', `/api/v1/comparisons/${dates[3]}?path=/&storageId=${storage}`).expect(200)).body
  const [scanned, imported] = [await growth(ids.scanned), await growth(ids.imported)]
  expect(imported).toMatchObject({ growth: scanned.growth, kinds: scanned.kinds })
  for (const date of dates)
    expect([date, await entries(ids.imported, date)]).toEqual([date, await entries(ids.scanned, date)])
})

test('searches find what was imported, and users with limits what is in their folders', async () => {
  const [path = ''] = [...(states[0]?.values() ?? [])]
    .filter((file) => file.isDirectory)
    .map((file) => file.path)
    .slice(1)
  const { id: userId } = await testUser(platform.db, [])
  const folders = JSON.stringify([ids.scanned, ids.imported].map((storageId) => ({ storageId, path })))
  const limits = { userId, everything: false, projects: [], storages: [], folders }
  await platform.db.insertInto('limits').values(limits).execute()
  const limited = asUser(createApp(platform, routes), await openSession(platform.db, userId, '127.0.0.1'))
  const found = async (by: typeof ask, volumeId: number, date: string) => {
    const query = `volumeId=${volumeId}&indexingDate=${date}&search=plain&size=1000`
    const { body } = await by('GET', `/api/files/search?${query}`).expect(200)
    return body.elements.map((one: Entry) => `${one.path} ${one.size}`).toSorted() as string[]
  }
  for (const date of dates) {
    const [all, own] = [await found(ask, ids.scanned, date), await found(limited, ids.scanned, date)]
    expect(own).toEqual(all.filter((one) => one.includes(`${path}/`)))
    expect([date, await found(ask, ids.imported, date)]).toEqual([date, all])
    expect([date, await found(limited, ids.imported, date)]).toEqual([date, own])
  }
  expect(await found(limited, ids.imported, dates[0] ?? '')).not.toEqual([])
})

test('the newest scan and later days are never replaced, and a day that exists only if that is confirmed', async () => {
  const send = (date: string) =>
    ask('POST', `/api/v1/imports?storageId=${ids.imported}&date=${date}&format=find`).send('x')
  expect((await send('2025-08-01').expect(409)).body.message).toContain('Only earlier days can be imported')
  await send('2999-01-01').expect(400)
  const file = findExport(random, states[0] as Tree)
  const again = await upload(ask, { storageId: ids.imported, date: dates[2] ?? '', format: 'find' }, file)
  expect(again).toMatchObject({ state: 'READY', replaces: true })
  expect((await ask('PUT', `/api/v1/imports/${again.id}/commit`).expect(409)).body.code).toBe('replaces')
  expect((await commitAndWait(ask, again.id, '?replace=true')).state).toBe('COMMITTED')
  expect(await entries(ids.imported, dates[2] ?? '')).toEqual(await entries(ids.scanned, dates[0] ?? ''))
})

test('removing an import removes its day, and all of its rows', async () => {
  const committed: ImportRecord[] = (await ask('GET', `/api/v1/imports?storageId=${ids.imported}`).expect(200)).body
  for (const { id } of committed) await ask('DELETE', `/api/v1/imports/${id}`).expect(204)
  const shown = await platform.db.selectFrom('snapshots').selectAll().where('volumeId', '=', ids.imported).execute()
  expect(shown.map(({ indexingDate }) => indexingDate)).toEqual(['2025-08-01'])
  const numbers = committed.map(({ id }) => id)
  const left = async () => {
    await removeUnshown(platform, 0)
    const { rows, counts } = await platform.clickhouse.one<Record<'rows' | 'counts', number>>(sql`
      SELECT (SELECT count() FROM entry_history WHERE from_scan IN ${numbers}) AS rows,
        (SELECT count() FROM volume_statistics WHERE scan IN ${numbers}) AS counts`)
    return Number(rows) + Number(counts)
  }
  await expect.poll(left, { timeout: 30_000 }).toBe(0)
  expect(await entries(ids.imported, '2025-08-01')).toEqual(await entries(ids.scanned, '2025-08-01'))
})
