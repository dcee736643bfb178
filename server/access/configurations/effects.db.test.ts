import { beforeEach, expect, test } from 'vitest'
import type { ConfigurationName } from '#events/configurations.ts'
import type { EntryPage } from '#events/entries.ts'
import { createApp } from '#server/app.ts'
import { configurationRoutes } from './index.ts'
import { exportRoutes } from '#server/questions/exports/index.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { walkOf } from '#server/scanning/scans/scanOrder.ts'
import { searchRoutes } from '#server/questions/search/index.ts'
import { commitScan } from '#server/content/snapshots/index.ts'
import { type Facts, type Node, newDisk, newNode } from '#server/content/snapshots/oracle/disk.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { newScan, newVolume, stage } from '#server/content/snapshots/oracle/scanDisk.ts'
import { walkDisk } from '#server/content/snapshots/oracle/walkDisk.ts'
import { asUser, testSession } from '#server/testing.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, [
  ...searchRoutes(platform),
  ...exportRoutes(platform),
  ...configurationRoutes(platform),
])
const ask = asUser(app, await testSession(db, ['ROLE_ADMIN']))
const random = newRandom(1)

beforeEach(() => db.deleteFrom('configurations').execute())

const set = (values: Partial<Record<ConfigurationName, string>>) =>
  ask(
    'PUT',
    '/api/configurations',
    Object.entries(values).map(([name, value]) => ({ name, value })),
  ).expect(200)

const facts: Facts = {
  inode: 0,
  size: 0,
  created: 1_600_000_000,
  modified: 1_600_000_000,
  accessed: 1_700_000_000,
  owner: 'ana',
  mode: 0,
  target: '',
  backedUp: 0,
}
const file = (name: string, changes: Partial<Facts> = {}): Node => newNode(name, false, { ...facts, ...changes })
function folder(name: string, ...children: Node[]): Node {
  const made = newNode(name, true, { ...facts })
  for (const child of children) made.children?.set(child.name, child)
  return made
}

async function scan(volumeId: number, indexingDate: string, ...children: Node[]): Promise<void> {
  const disk = newDisk(random, 0)
  disk.root = folder('', ...children)
  const scanId = await newScan(platform, { volumeId, indexingDate })
  await stage(platform, random, scanId, walkDisk(disk))
  await commitScan(platform, scanId, async () => {})
}

async function found(kind: 'files' | 'directories', query: string): Promise<EntryPage['elements']> {
  const { body } = await ask('GET', `/api/${kind}/search?sort=name&direction=asc&${query}`).expect(200)
  return (body as EntryPage).elements
}
const dupes = async (kind: 'files' | 'directories', query: string) => (await found(kind, query)).map(({ dupe }) => dupe)
const names = async (kind: 'files' | 'directories', query: string) => (await found(kind, query)).map(({ name }) => name)

test('files under the minimum size are not duplicates, on the newest date and on older ones, once it is set', async () => {
  const volumeId = await newVolume(platform, 'copies')
  const copies = () => [file('empty'), file('large', { size: 2_000 }), file('small', { size: 1_999 })]
  const duplicates = (date: string) => names('files', `onlyDuplicates=true&volumeId=${volumeId}&indexingDate=${date}`)
  const both = ['large', 'large', 'small', 'small']
  await scan(volumeId, '2026-01-01', folder('a', ...copies()), folder('b', ...copies()))
  await set({ 'scan.tagDuplicate.minimumSize': '2000' })
  await scan(volumeId, '2026-01-02', folder('a', ...copies()), folder('b', ...copies(), file('one', { size: 5_000 })))
  expect([await duplicates('2026-01-01'), await duplicates('2026-01-02')]).toEqual([
    ['large', 'large'],
    ['large', 'large'],
  ])
  await set({ 'scan.tagDuplicate.minimumSize': '1999' })
  expect([await duplicates('2026-01-01'), await duplicates('2026-01-02')]).toEqual([both, both])
  const counts = () => dupes('files', `volumeId=${volumeId}&search=small`)
  expect(await counts()).toEqual([true, true])
  await set({ 'scan.tagDuplicate.minimumSize': '2001' })
  expect([await duplicates('2026-01-02'), await counts()]).toEqual([[], [false, false]])
})

test('in performance mode folders are not duplicates, and scans leave owners and groups out', async () => {
  const volumeId = await newVolume(platform, 'folders')
  await scan(volumeId, '2026-01-03', folder('c', file('x', { size: 7 })), folder('d', file('x', { size: 7 })))
  const query = `onlyDuplicates=true&volumeId=${volumeId}`
  const counts = () => dupes('directories', `volumeId=${volumeId}`)
  expect([await names('directories', query), await counts()]).toEqual([
    ['c', 'd'],
    [true, true],
  ])
  expect(await walkOf(db, 'VOLUME_MULTITHREAD')).toEqual({})
  await set({ isPerformanceModeActive: 'true' })
  expect([await names('directories', query), await names('files', query)]).toEqual([[], ['x', 'x']])
  expect(await counts()).toEqual([false, false])
  expect(await walkOf(db, 'VOLUME_MULTITHREAD')).toEqual({ withoutOwners: true })
})

test('threads share all folders, those of the first level, or those within the limits of hybrid scans', async () => {
  await set({ numberOfFiles: '5000', folderDepth: '3' })
  expect(await walkOf(db, 'HYBRID_MULTITHREAD')).toEqual({ sharing: { afterFiles: 5_000, toDepth: 3 } })
  expect(await walkOf(db, 'VOLUME_MULTITHREAD')).toEqual({})
  expect(await walkOf(db, 'FOLDER_MULTITHREAD')).toEqual({ sharing: { afterFiles: 0, toDepth: 1 } })
  expect(await walkOf(db, 'FOLDER_MULTITHREAD', '/a/b')).toEqual({ sharing: { afterFiles: 0, toDepth: 3 } })
})

test('deleted files are listed for as many days as are set', async () => {
  const volumeId = await newVolume(platform, 'deleted')
  const deleted = () => names('files', `showOnlyDeletedFiles=true&volumeId=${volumeId}`)
  await scan(volumeId, '2026-01-04', file('gone', { size: 1 }), file('kept'))
  await scan(volumeId, '2026-01-05', file('kept'))
  await scan(volumeId, '2026-01-09', file('kept'))
  expect(await deleted()).toEqual(['gone'])
  await set({ deletedFilesNumberOfDays: '4' })
  expect(await deleted()).toEqual([])
  await set({ deletedFilesNumberOfDays: '5' })
  expect(await deleted()).toEqual(['gone'])
})

test('an access alone makes a new version, or stays with the version there is', async () => {
  const seconds = async (volumeId: number, kind: 'files' | 'directories', date: string) =>
    (await found(kind, `volumeId=${volumeId}&indexingDate=${date}`)).map(
      ({ lastAccess }) => Date.parse(lastAccess ?? '') / 1_000,
    )
  const dates = ['2026-01-10', '2026-01-12']
  const times = [1_700_000_000, 1_700_200_000]
  for (const [isActive, files] of [
    ['true', times],
    ['false', times.map(() => times[1])],
  ] as const) {
    await set({ isAlwaysUpdateActive: isActive })
    const volumeId = await newVolume(platform, `accessed ${isActive}`)
    for (const [i, date] of dates.entries())
      await scan(volumeId, date, folder('e', file('f', { accessed: times[i] ?? 0 })))
    const seen = async (kind: 'files' | 'directories') =>
      Promise.all(dates.map(async (date) => (await seconds(volumeId, kind, date))[0]))
    expect({ isActive, files: await seen('files'), folders: await seen('directories') }).toEqual({
      isActive,
      files,
      folders: files,
    })
    for (const date of dates) {
      const cold = `volumeId=${volumeId}&indexingDate=${date}&lastAccessBefore=2023-11-15`
      const { body } = await ask('GET', `/api/files/search/sizes?${cold}`)
      expect({ isActive, date, count: body.count }).toEqual({
        isActive,
        date,
        count: (await found('files', cold)).length,
      })
    }
    const closed = await platform.clickhouse.rows(sql`SELECT 1 FROM entry_history WHERE volume = ${volumeId}`)
    expect(closed.length > 0).toBe(isActive === 'true')
  }
})

test('a change of anything but the access always makes a new version', async () => {
  await set({ isAlwaysUpdateActive: 'false' })
  const volumeId = await newVolume(platform, 'grown')
  await scan(volumeId, '2026-01-13', file('f', { size: 1 }))
  await scan(volumeId, '2026-01-14', file('f', { size: 2, accessed: 1_700_000_300 }))
  const sizes = ['2026-01-13', '2026-01-14'].map(async (date) =>
    (await found('files', `volumeId=${volumeId}&indexingDate=${date}`)).map(({ size }) => size),
  )
  expect(await Promise.all(sizes)).toEqual([[1], [2]])
})

test('a download has as many entries as are allowed, the first of its list', async () => {
  await set({ maxNumberOfFilesCsv: '3' })
  const byFilters = ask('GET', '/api/files/search/csv?sort=name')
  const byCriteria = ask('POST', '/api/v1/search/csv?sort=name', [])
  for (const search of [byFilters, byCriteria]) {
    const { body } = await search.responseType('blob').expect(200)
    expect(readCsv(body as Buffer)).toHaveLength(1 + 3)
  }
  expect((await ask('GET', '/api/files/search/csv/limit')).body).toEqual({ entries: 3 })
})

test('health queries no store if it is turned off', async () => {
  await set({ isHealthCheckActive: 'false' })
  expect((await ask('GET', '/actuator/health').expect(200)).body).toEqual({ status: 'UP', components: {} })
  await set({ isHealthCheckActive: 'true' })
  expect(Object.keys((await ask('GET', '/actuator/health')).body.components)).toHaveLength(3)
})
