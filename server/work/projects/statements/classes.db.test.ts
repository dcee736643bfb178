import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { ListedProject, Project } from '#events/projects/calls.ts'
import type { Statement } from '#events/projects/statements.ts'
import { createApp } from '#server/app.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { readPdf } from '#server/platform/testing/readPdf.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { fillAll } from '#server/work/projects/figures/startFigures.ts'
import { projectRoutes } from '#server/work/projects/index.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { closeMonths } from './closeMonths.ts'

const platform = { ...(await testPlatform()), live: () => {} }
const { db } = platform
const ask = asUser(createApp(platform, projectRoutes(platform)), await testSession(db, ['ROLE_PROJECT_MANAGER']))
const gib = 2 ** 30
const prices = (glacier: number) => [{ storageClass: 'glacier', price: glacier }]

/**
 * A bucket of 28 GiB of the standard and 56 GiB of a colder class from 1 February on; without the colder one from the
 * 15th on.
 */
const bucket = await newVolume(platform, 'Bucket')
const paths = ['/a', '/a/b'].map((path) => ({ volumeId: bucket, path }))
const made = await ask('POST', '/api/projects', { name: 'Rushes', allocatedSize: 1, paths }).expect(200)
const id = made.body.id as number

beforeAll(async () => {
  await db.updateTable('projects').set({ madeOn: '2026-02-01' }).execute()
  await db.insertInto('storagePrices').values({ description: 'Cloud' }).execute()
  const given = { volumeId: bucket, since: '2026-01-01', storagePriceId: 1 }
  await db.insertInto('volumePriceChanges').values(given).execute()
  await scan('2026-02-01', [
    { path: '/a/x', size: 14 * gib, storageClass: 'STANDARD' },
    { path: '/a/y', size: 14 * gib, storageClass: 'STANDARD' },
    { path: '/a/b/x', size: 56 * gib, storageClass: 'GLACIER' },
    { path: '/elsewhere', size: 99 * gib, storageClass: 'DEEP_ARCHIVE' },
  ])
  await scan('2026-02-15', [{ path: '/a/x', size: 28 * gib, storageClass: 'STANDARD' }])
  await fillAll(platform)
})
beforeEach(async () => {
  await sql`TRUNCATE storage_price_changes, project_statements, deliveries`.execute(db)
  await price('2026-01-01', 1.2)
  vi.useFakeTimers({ now: new Date('2026-03-15T12:00:00'), toFake: ['Date'] })
})
afterEach(() => void vi.useRealTimers())

type Key = { path: string; size: number; storageClass?: string; modified?: number }
async function scan(indexingDate: string, keys: Key[]) {
  const within = (parent: string) => keys.filter(({ path }) => path.slice(0, path.lastIndexOf('/')) === parent)
  const folder = (path: string) => ({ path, isDirectory: true })
  await scanFolders(platform, { volumeId: bucket, indexingDate }, [
    { path: '', entries: [folder('/a'), ...within('')] },
    { path: '/a', entries: [folder('/a/b'), ...within('/a')] },
    { path: '/a/b', entries: within('/a/b') },
  ])
}
const price = (since: string, glacier: number) =>
  db
    .insertInto('storagePriceChanges')
    .values({ storagePriceId: 1, since, currencySymbol: '$', price: 12, classPrices: JSON.stringify(prices(glacier)) })
    .execute()
const find = async (month: string): Promise<Statement> =>
  (await ask('GET', `/api/v1/projects/${id}/statements/${month}`).expect(200)).body

/** 28 GiB at $12 for all 28 days; 56 GiB at $1.2 for 14 of them. */
const february = [
  { storageClass: 'GLACIER', averageBytes: 28 * gib, cost: expect.closeTo((14 * 56 * 1.2) / 12 / 28, 9) },
  { storageClass: 'STANDARD', averageBytes: 28 * gib, cost: expect.closeTo(28, 9) },
]

test('a month states each storage class at its own price, checked by hand', async () => {
  expect(await find('2026-02')).toMatchObject({
    averageBytes: 56 * gib,
    costs: [{ currencySymbol: '$', cost: expect.closeTo(28 + 2.8, 9) }],
    isComplete: true,
    lines: february.map((line) => ({ ...line, volumeName: 'Bucket', currencySymbol: '$' })),
  })
  // Half of the colder class's days at twice the price.
  await price('2026-02-08', 2.4)
  const [glacier] = (await find('2026-02')).lines
  expect(glacier).toMatchObject({ cost: expect.closeTo((7 * 56 * 1.2 + 7 * 56 * 2.4) / 12 / 28, 9) })
})

test('files of a statement name the classes, and so does its mail; what is closed stays as it was', async () => {
  const download = async (kind: string) =>
    (await ask('GET', `/api/v1/projects/${id}/statements/2026-02/${kind}`).responseType('blob').expect(200)).body
  await db
    .updateTable('projects')
    .set({ statementRecipients: ['ana@example.com'] })
    .execute()
  await closeMonths(platform, '2026-03-01')
  await price('2026-02-02', 1000)
  expect((await find('2026-02')).lines).toMatchObject(february)
  const rows = readCsv(await download('csv'))
  expect(rows.map(([, , , , storage, storageClass]) => [storage, storageClass])).toEqual([
    ['Storage', 'Storage class'],
    ['Bucket', 'GLACIER'],
    ['Bucket', 'STANDARD'],
  ])
  const [page = []] = readPdf(await download('pdf'))
  expect(page.join(' ')).toContain(
    'Bucket GLACIER 28.0 GiB $2.80 Bucket STANDARD 28.0 GiB $28.00 Total 56.0 GiB $30.80',
  )
  const mail = await db.selectFrom('deliveries').select('body').executeTakeFirstOrThrow()
  expect(mail.body).toContain('- Bucket, GLACIER: 28.0 GiB average, $2.80\n- Bucket, STANDARD: 28.0 GiB')
})

test('a month closed before classes were distinguished has no classes', async () => {
  const line = { volumeId: bucket, volumeName: 'Bucket', averageBytes: 5, currencySymbol: '$', cost: 7 }
  const statement = { month: '2026-02', averageBytes: 5, costs: [], closedAt: '2026-03-01T00:00:00Z', isComplete: true }
  const kept = JSON.stringify({ ...statement, lines: [line] })
  await db
    .insertInto('projectStatements')
    .values({ projectId: id, month: '2026-02', name: 'Rushes', statement: kept })
    .execute()
  expect(await find('2026-02')).toEqual({
    ...statement,
    lastDay: '2026-02-28',
    daysWithoutData: null,
    lines: [{ ...line, storageClass: null }],
  })
})

test('costs of a project use the classes that it has, and not those of the whole bucket', async () => {
  const { projectShares } = (await ask('GET', `/api/v1/projects/${id}?indexingDate=2026-02-01`).expect(200))
    .body as Project
  expect(projectShares).toMatchObject([{ sizeOfFiles: 84 * gib, classes: { STANDARD: 28 * gib, GLACIER: 56 * gib } }])
  const { elements } = (await ask('GET', '/api/v1/projects?indexingDate=2026-02-01').expect(200)).body
  expect((elements as ListedProject[])[0]?.costs).toEqual([
    { currencySymbol: '$', perYear: expect.closeTo(28 * 12 + 56 * 1.2, 6) },
  ])
})

test('ages and what is reclaimable are known by class, and one copy of each set is not', async () => {
  const day = Date.parse('2026-03-10') / 1000
  const copy = { size: 3 * gib, modified: day }
  await scan('2026-03-10', [
    { path: '/a/same', ...copy, storageClass: 'STANDARD' },
    { path: '/a/b/same', ...copy, storageClass: 'GLACIER' },
    { path: '/same', ...copy, storageClass: 'DEEP_ARCHIVE' },
    { path: '/a/none', size: 5 * gib, modified: day - 500 * 86_400 },
  ])
  await fillAll(platform)
  const [share] = ((await ask('GET', `/api/v1/projects/${id}`).expect(200)).body as Project).projectShares
  const both = { sizeOfFiles: 6 * gib, numberOfFiles: 2, classes: { STANDARD: 3 * gib, GLACIER: 3 * gib } }
  expect(share).toMatchObject({ classes: { STANDARD: 3 * gib, GLACIER: 3 * gib, '': 5 * gib } })
  expect(share?.statistics).toMatchObject({
    DUPLICATE: {
      duplicate: both,
      // Of two equal files, the one in the class that sorts first is reclaimable.
      reclaimable: { sizeOfFiles: 3 * gib, numberOfFiles: 1, classes: { GLACIER: 3 * gib } },
    },
    MODIFIED_DATE: { '1 week': both, older: { sizeOfFiles: 5 * gib, numberOfFiles: 1 } },
  })
  expect(share?.statistics.MODIFIED_DATE.older).not.toHaveProperty('classes')
})
