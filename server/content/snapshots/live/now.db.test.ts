import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { now } from '#events/contract/endpoint.ts'
import type { LimitedScope } from '#server/platform/callers/scope.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { type File, scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { asOf } from '#server/content/snapshots/reading/asOf.ts'
import { listVolumes } from '#server/content/snapshots/reading/listVolumes.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { flushFolders } from './testing.ts'

const stores = { db: await testDb(), clickhouse: await testClickHouse() }
const { db } = stores
const day = '2026-01-02'
const scanned = new Date('2026-01-02T03:00:00.250Z')
const flushed = new Date('2026-01-02T09:00:00.500Z')

const folder = (path: string, ...names: string[]) => ({
  path,
  entries: names.map((name): File => ({ path: `${path}/${name}`, size: 100 })),
})
const root = { path: '', entries: ['/a', '/b'].map((path) => ({ path, isDirectory: true, size: 0 })) }
const empty = await snapshotAt(db, 'everything', now)
const [followed, other] = [await newVolume(stores, 'Films'), await newVolume(stores, 'Audio')]
for (const volumeId of [followed, other])
  await scanFolders(stores, { volumeId, indexingDate: day }, [root, folder('/a', 'one'), folder('/b', 'two')])
await db.updateTable('scans').set({ finishedAt: scanned }).execute()
beforeEach(() => db.deleteFrom('liveVolumes').execute())

const flush = (...folders: Parameters<typeof flushFolders>[2]) => flushFolders(stores, followed, folders)
const change = (values: ReturnType<typeof sql>) => sql`UPDATE live_volumes SET ${values}`.execute(db)
const stateOf = async (volumeId: number) =>
  (await snapshotAt(db, 'everything', now))!.volumes.find((one) => one.volumeId === volumeId)
/** Paths and sizes of the entries that a caller sees now. */
const sizes = async (scope?: LimitedScope) =>
  [...(await readRows(stores, followed, now, scope)).values()].map(({ parentPath, name, size }) => [
    parentPath + name,
    size,
  ])

test('now is the newest day, as of the end of its scans, while no storage is live', async () => {
  expect(empty).toBeUndefined()
  const [shown, newest] = [await snapshotAt(db, 'everything', now), await snapshotAt(db, 'everything')]
  const volumes = newest!.volumes.map((volume) => ({ ...volume, asOf: scanned.getTime() }))
  expect(shown).toEqual({ ...newest, volumes })
  expect(asOf(shown!.volumes)).toEqual({ asOf: scanned.getTime() })
  expect(asOf(newest!.volumes)).toEqual({})
})

test('shows each flush of a live storage at once, and leaves its day unchanged', async () => {
  const before = await readRows(stores, followed, day)
  await flush(folder('/a', 'one', 'new'))
  expect(await sizes()).toEqual([
    ['', 300],
    ['/a', 200],
    ['/b', 100],
    ['/a/new', 100],
    ['/a/one', 100],
    ['/b/two', 100],
  ])
  await flush(folder('/b'))
  expect(await sizes()).toEqual([
    ['', 200],
    ['/a', 200],
    ['/b', 0],
    ['/a/new', 100],
    ['/a/one', 100],
  ])
  expect(await readRows(stores, followed, day)).toEqual(before)
  await change(sql`as_of = ${flushed}`)
  const { volumes } = (await snapshotAt(db, 'everything', now))!
  expect(volumes.map((volume) => [volume.live?.flush, volume.asOf])).toEqual([
    [2, flushed.getTime()],
    [undefined, scanned.getTime()],
  ])
  expect(asOf(volumes)).toEqual({ asOf: scanned.getTime() })
})

test('a followed storage is as new as the oldest change that was not sent, another one as its last flush', async () => {
  await flush(folder('/a', 'one', 'new'))
  const seen = flushed.getTime() + 60_000
  await change(sql`as_of = ${flushed}, state = 'LIVE', seen_at = ${new Date(seen)}, behind_ms = 1500`)
  expect(await stateOf(followed)).toMatchObject({ live: { flush: 1 }, asOf: seen - 1_500 })
  await change(sql`behind_ms = 90000`)
  expect(await stateOf(followed)).toMatchObject({ asOf: flushed.getTime() })
  await change(sql`state = 'UNAVAILABLE', behind_ms = NULL`)
  expect(await stateOf(followed)).toMatchObject({ live: { flush: 1 }, asOf: flushed.getTime() })
})

test('ignores a state that is based on another scan than the committed one, and one without a flush', async () => {
  const before = await sizes()
  await flush(folder('/a', 'one', 'new'))
  await change(sql`base_scan = base_scan - 1`)
  expect(await sizes()).toEqual(before)
  expect(await stateOf(followed)).toMatchObject({ asOf: scanned.getTime() })
  await change(
    sql`base_scan = base_scan + 1, flush = 0, as_of = NULL, state = 'LIVE', behind_ms = 0, seen_at = ${flushed}`,
  )
  expect(await sizes()).toEqual(before)
  expect(await stateOf(followed)).toMatchObject({ asOf: flushed.getTime() })
})

test('a caller with limits sees the live state of the visible folders only', async () => {
  const place = { volumeId: followed, path: '/a', fromScan: 0, beforeScan: Number.MAX_SAFE_INTEGER }
  const scope: LimitedScope = { places: [place], projects: [] }
  await flush(folder('/b', 'two', 'outside'))
  expect(await sizes(scope)).toEqual([
    ['', 100],
    ['/a', 100],
    ['/a/one', 100],
  ])
  await flush(folder('/a', 'one', 'inside'))
  expect(await sizes(scope)).toEqual([
    ['', 200],
    ['/a', 200],
    ['/a/inside', 100],
    ['/a/one', 100],
  ])
  const { elements } = await listVolumes(stores, scope, { indexingDate: now, page: 1, size: 10 })
  expect(elements).toMatchObject([{ limited: true, sizeOfFiles: 200, numberOfFiles: 2, asOf: expect.any(Number) }])
})
