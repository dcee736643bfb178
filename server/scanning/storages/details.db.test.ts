import { expect, test } from 'vitest'
import { ageBuckets, type DetailedVolume, type Shares, sizeBuckets } from '#events/storages.ts'
import { createApp } from '#server/app.ts'
import { dayOf } from '#server/platform/days.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { emptySnapshot, snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asUser, testSession } from '#server/testing.ts'
import { filesBefore, storageRoutes } from './index.ts'

const platform = await testPlatform()
const { db, clickhouse } = platform
const ask = asUser(createApp(platform, storageRoutes(platform)), await testSession(db, []))
const details = async (id: number, query = ''): Promise<DetailedVolume[]> =>
  (await ask('GET', `/api/v1/detailedVolumes/${id}?${query}`).expect(200)).body.elements

const random = newRandom(21)
const moment = () => random.pick([0, 4_294_967_295, Math.floor(Date.UTC(2026, 0, 1) / 1000 - random.next() ** 3 * 4e8)])
const extensions = [
  '.jpg',
  '.MOV',
  '',
  '.__proto__',
  '.__proto__',
  '.__proto__',
  ...Array.from({ length: 40 }, (_, i) => `.e${i}`),
]
const files = Array.from({ length: 400 }, (_, i): File & { size: number } => ({
  path: `/f${i}${random.pick(extensions)}`,
  size: random.pick([0, 1, 4095, 4096, 16_384, 2 ** 40 - 1, 2 ** 40, random.below(1e9)]),
  created: moment(),
  modified: moment(),
  accessed: moment(),
  backupDate: random.chance(0.5) ? 0 : moment(),
  storageClass: random.pick(['STANDARD', 'GLACIER']),
}))

const films = await newVolume({ db }, 'Films')
const scanOf = (volumeId: number, indexingDate: string, entries: File[]) =>
  scanFolders({ db, clickhouse }, { volumeId, indexingDate }, [{ path: '', entries }])
await scanOf(films, '2026-01-05', files)
await scanOf(await newVolume({ db }, 'Other'), '2026-05-31', [{ path: '/x' }])

/** The same day the given number of months earlier, or the last day of that month. */
function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 - months, Math.min(date, last))).toISOString().slice(0, 10)
}
const weekBefore = (day: string) => new Date(Date.parse(day) - 7 * 86_400_000).toISOString().slice(0, 10)

function ageOf(date: string, seconds: number): string {
  const day = dayOf(new Date(seconds * 1000))
  const young = (bucket: (typeof ageBuckets)[number]) =>
    day >= ('months' in bucket ? monthsBefore(date, bucket.months) : weekBefore(date))
  return seconds === 0 || seconds > Date.now() / 1000 ? 'unknown' : (ageBuckets.find(young)?.key ?? 'older')
}

const plausible = (seconds: number): number => (seconds > Date.now() / 1000 ? 0 : seconds)

function countedBy(keyOf: (file: (typeof files)[number]) => string) {
  const groups = Map.groupBy(files, keyOf)
  const shares = [...groups].map(([key, group]) => [
    key,
    { numberOfFiles: group.length, sizeOfFiles: group.reduce((sum, { size }) => sum + size, 0) },
  ])
  return Object.fromEntries(shares) as Shares
}

test('files are counted by age from the requested date, by size and by kind', async () => {
  const found = await details(films)
  expect(found.map(({ indexingDate }) => indexingDate)).toEqual(['2026-05-31', '2026-01-05'])
  for (const { indexingDate, statistics } of found) {
    const age = (column: 'created' | 'modified' | 'accessed' | 'backupDate') =>
      countedBy((file) => ageOf(indexingDate, file[column] ?? 0))
    const { EXTENSION: _, ...others } = statistics
    expect(others).toEqual({
      SIZE: countedBy(({ size }) => sizeBuckets.find(({ below }) => size < below)?.key ?? 'larger'),
      MODIFIED_DATE: age('modified'),
      ACCESS_DATE: countedBy(({ accessed = 0, modified = 0 }) =>
        ageOf(indexingDate, plausible(accessed) && Math.max(plausible(accessed), plausible(modified))),
      ),
      CREATION_DATE: age('created'),
      BACKUP_DATE: age('backupDate'),
      STORAGE_CLASS: countedBy(({ storageClass }) => storageClass ?? ''),
    })
  }
  expect(sizeBuckets.map(({ key }) => key).join(' ')).toBe(
    '4KB 16KB 64KB 256KB 1MB 4MB 16MB 64MB 256MB 1GB 4GB 16GB 64GB 256GB 1TB',
  )
})

test("a commit's counts of each storage class are kept with the scan, if prices need them", async () => {
  const scans = await db.selectFrom('scans').select('classBytes').where('volumeId', '=', films).execute()
  const classes = Object.entries(countedBy(({ storageClass }) => storageClass ?? ''))
  expect(scans).toEqual([
    { classBytes: Object.fromEntries(classes.map(([key, { sizeOfFiles }]) => [key, sizeOfFiles])) },
  ])
})

test('the largest extensions are shown alone, the rest together', async () => {
  const [newest] = await details(films, 'size=1')
  const all = Object.entries(
    countedBy(({ path }) => (path.includes('.') ? path.slice(path.lastIndexOf('.') + 1) : '').toLowerCase()),
  ).sort(([, a], [, b]) => b.sizeOfFiles - a.sizeOfFiles || b.numberOfFiles - a.numberOfFiles)
  const { '...': rest, ...largest } = newest!.statistics.EXTENSION
  // JSON parsers don't treat `__proto__` as a key, so it is never alone.
  const alone = all.slice(0, 30).filter(([key]) => key !== '__proto__')
  expect(largest).toEqual(Object.fromEntries(alone))
  const inAlone = alone.reduce((sum, [, share]) => sum + share.numberOfFiles, 0)
  expect(rest?.numberOfFiles).toBe(files.length - inAlone)
})

test('the snapshots of a storage between two days are returned in pages, in any order', async () => {
  const times = { startedAt: new Date('2026-01-05T10:00:00Z'), finishedAt: new Date('2026-01-05T10:00:02.500Z') }
  const capacity = { capacityTotal: 100, capacityUsed: 90, capacityFree: 10 }
  await db
    .updateTable('scans')
    .set({ ...times, ...capacity })
    .where('volumeId', '=', films)
    .execute()
  const [first] = await details(films, 'to=2026-01-05')
  expect(first).toMatchObject({ id: films, name: 'Films', type: 'crawl.files', total: 100, used: 90, free: 10 })
  expect(first).toMatchObject({ numberOfFiles: 400, numberOfFolders: 0, crawlDuration: 2_500, productName: null })
  expect(first).toMatchObject({ path: '/Films', server: { id: 1, name: expect.any(String) } })
  const [short] = await details(films, 'to=2026-01-05&statistics=false')
  expect(short?.statistics).toMatchObject({ SIZE: {}, EXTENSION: {} })
  expect({ ...short, statistics: first?.statistics }).toEqual(first)
  const dates = async (query: string) => (await details(films, query)).map(({ indexingDate }) => indexingDate)
  expect(await dates('from=2026-01-06')).toEqual(['2026-05-31'])
  expect(await dates('indexingDate=2026-05-30')).toEqual(['2026-01-05'])
  expect(await dates('from=2027-01-01')).toEqual([])
  expect(await dates('sort=indexingDate,asc')).toEqual(['2026-01-05', '2026-05-31'])
  expect(await dates('sort=sizeOfFiles&direction=DESC&size=1&page=2')).toEqual(['2026-01-05'])
  await ask('GET', '/api/v1/detailedVolumes/999').expect(404)
  const wrong = await ask('GET', `/api/v1/detailedVolumes/${films}?from=yesterday&to=2026-02-30&page=x`).expect(400)
  expect(wrong.body.subErrors.map(({ field }: { field: string }) => field).sort()).toEqual(['from', 'page', 'to'])
  await ask('GET', `/api/v1/detailedVolumes/${films}?sort=scan_id`).expect(400)
})

test('files not accessed since a day are those that counting the entries finds', async () => {
  for (const date of ['2026-01-05', '2026-05-31']) {
    const snapshot = (await snapshotAt(db, 'everything', date)) ?? emptySnapshot
    for (const day of [
      '2026-05-31',
      '2026-01-01',
      '2025-12-31',
      '2024-02-29',
      '2014-07-01',
      '1970-01-02',
      '2106-02-08',
    ]) {
      const counted = await clickhouse.rows(sql`
        SELECT volume AS volumeId, count() AS count, sum(greatest(size, 0)) AS size,
          size AS billed FROM ${entriesAt(snapshot)}
        WHERE NOT is_directory AND toUnixTimestamp(last_access) > 0 AND toUnixTimestamp(greatest(last_access, last_modified)) < ${new Date(`${day}T00:00:00`).getTime() / 1000}
        GROUP BY volume ORDER BY volume`)
      expect(await filesBefore(clickhouse, snapshot, 'ACCESS_DATE', day)).toEqual(counted)
      const only = await filesBefore(clickhouse, snapshot, 'ACCESS_DATE', day, [films, 999])
      expect(only).toEqual(counted.filter((row) => (row as { volumeId: number }).volumeId === films))
    }
    expect(await filesBefore(clickhouse, snapshot, 'ACCESS_DATE', '1970-01-01')).toBeUndefined()
  }
})

test('the versions that a scan counted are shown for its day, or why they could not be counted', async () => {
  const bucket = await newVolume({ db }, 'Bucket')
  const days = ['2026-01-05', '2026-02-05', '2026-03-05']
  for (const day of days) await scanOf(bucket, day, [{ path: '/x' }])
  const versions = { noncurrent: { count: 2, bytes: 7 }, deleteMarkers: 1, incomplete: { count: 0, bytes: 0 } }
  const announced = [{ versions }, { versionsFailure: 'No right' }]
  for (const [i, each] of announced.entries())
    await db
      .updateTable('scans')
      .set({ announced: JSON.stringify(each) })
      .where('volumeId', '=', bucket)
      .where('indexingDate', '=', days[i] ?? '')
      .execute()
  expect(
    (await details(bucket, 'to=2026-03-05')).map(({ versions, versionsFailure }) => ({ versions, versionsFailure })),
  ).toEqual([
    { versions: null, versionsFailure: null },
    { versions: null, versionsFailure: 'No right' },
    { versions, versionsFailure: null },
  ])
})
