import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { now } from '#events/contract/endpoint.ts'
import type { LimitedScope } from '#server/platform/callers/scope.ts'
import { testSeed } from '#server/platform/testing/cases.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import type { Row } from '#server/content/snapshots/oracle/expectedRows.ts'
import { newHistory, type ShownState } from '#server/content/snapshots/oracle/history.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { readRows } from '#server/content/snapshots/oracle/readRows.ts'
import { asOf } from './asOf.ts'
import { listVolumes } from './listVolumes.ts'
import { snapshotAt } from './snapshotAt.ts'
import { flushCopy } from './testing.ts'

const stores = { db: await testDb(), clickhouse: await testClickHouse() }
const { db } = stores
const dates = ['2026-01-01', '2026-01-02']
const scanned = new Date('2026-01-02T03:00:00.250Z')
const flushed = new Date('2026-01-02T09:00:00.500Z')

const pathOf = ({ parentPath, name }: Row): string => parentPath + name
const keyOf = (parentPath: string, name: string, isDirectory = false): string =>
  JSON.stringify([parentPath, name, isDirectory])

const empty = await snapshotAt(db, 'everything', now)
const { dates: states } = await newHistory(stores, newRandom(testSeed(7)), { dates, disks: 2, entries: 60 })
await db.updateTable('scans').set({ finishedAt: scanned }).execute()
const [followed, { volumeId: other }] = [...states.values()].at(-1) as [ShownState, ShownState]
const { volumeId, rows: before } = followed
const file = [...before.values()].find((row) => !row.isDirectory && row.size > 0 && row.linkCount === 1)!
const folder = [...before.values()].find((row) => row.isDirectory && row.depth === 1)!
beforeEach(() => sql`DELETE FROM live_volumes`.execute(db))

const stateOf = async (volumeId: number) =>
  (await snapshotAt(db, 'everything', now))!.volumes.find((one) => one.volumeId === volumeId)

test('now is the newest day, as of the end of its scans, while no storage is live', async () => {
  expect(empty).toBeUndefined()
  const [shown, newest] = [await snapshotAt(db, 'everything', now), await snapshotAt(db, 'everything')]
  expect(shown).toEqual({
    ...newest,
    volumes: newest!.volumes.map((volume) => ({ ...volume, asOf: scanned.getTime() })),
  })
  expect(asOf(shown!.volumes)).toEqual({ asOf: scanned.getTime() })
  expect(asOf(newest!.volumes)).toEqual({})
  expect(Object.fromEntries(await readRows(stores, volumeId, now))).toEqual(Object.fromEntries(before))
})

test('shows each flush of a live storage at once, and leaves its day unchanged', async () => {
  const into = pathOf(folder)
  for (const flush of [1, 2]) {
    await flushCopy(stores, volumeId, { path: pathOf(file), isDirectory: false, into, name: `copy ${flush}` }, flushed)
    const rows = await readRows(stores, volumeId, now)
    expect(rows.size).toBe(before.size + flush)
    expect(rows.get(keyOf(`${into}/`, `copy ${flush}`))).toMatchObject({ size: file.size, owner: file.owner })
    for (const key of [keyOf('', '', true), keyOf(folder.parentPath, folder.name, true)])
      expect(rows.get(key)).toMatchObject({
        size: before.get(key)!.size + flush * file.size,
        files: before.get(key)!.files + flush,
      })
    const day = await readRows(stores, volumeId, dates[1]!)
    expect(Object.fromEntries(day)).toEqual(Object.fromEntries(before))
  }
  expect(await stateOf(volumeId)).toMatchObject({ live: { flush: 2 }, asOf: flushed.getTime() })
  expect(await stateOf(other)).toMatchObject({ asOf: scanned.getTime() })
  const { volumes } = (await snapshotAt(db, 'everything', now))!
  expect(asOf(volumes)).toEqual({ asOf: scanned.getTime() })
})

test('a followed storage is as new as the oldest change that was not sent, and as its last flush when it is no longer followed', async () => {
  await flushCopy(stores, volumeId, { path: pathOf(file), isDirectory: false, into: '', name: 'copy' }, flushed)
  const seen = flushed.getTime() + 60_000
  const follow = (values: ReturnType<typeof sql>) =>
    sql`UPDATE live_volumes SET ${values} WHERE volume_id = ${volumeId}`.execute(db)
  await follow(sql`state = 'LIVE', seen_at = ${new Date(seen)}, behind_ms = 1500`)
  expect(await stateOf(volumeId)).toMatchObject({ live: { flush: 1 }, asOf: seen - 1_500 })
  await follow(sql`behind_ms = 90000`)
  expect(await stateOf(volumeId)).toMatchObject({ asOf: flushed.getTime() })
  await follow(sql`state = 'UNAVAILABLE', behind_ms = NULL`)
  expect(await stateOf(volumeId)).toMatchObject({ live: { flush: 1 }, asOf: flushed.getTime() })
})

test('ignores a state that is based on another scan than the committed one, and one without a flush', async () => {
  await flushCopy(stores, volumeId, { path: pathOf(file), isDirectory: false, into: '', name: 'copy' }, flushed)
  expect((await readRows(stores, volumeId, now)).size).toBe(before.size + 1)
  const set = (values: ReturnType<typeof sql>) =>
    sql`UPDATE live_volumes SET ${values} WHERE volume_id = ${volumeId}`.execute(db)
  await set(sql`base_scan = base_scan - 1`)
  expect((await readRows(stores, volumeId, now)).size).toBe(before.size)
  expect(await stateOf(volumeId)).toMatchObject({ asOf: scanned.getTime() })
  await set(
    sql`base_scan = base_scan + 1, flush = 0, as_of = NULL, state = 'LIVE', behind_ms = 0, seen_at = ${flushed}`,
  )
  const state = await stateOf(volumeId)
  expect(state).toMatchObject({ asOf: flushed.getTime() })
  expect(state).not.toHaveProperty('live')
})

test('a caller with limits sees the live state of the visible folders only', async () => {
  const scope: LimitedScope = {
    places: [{ volumeId, path: pathOf(folder), fromScan: 0, beforeScan: Number.MAX_SAFE_INTEGER }],
    projects: [],
  }
  const seen = await readRows(stores, volumeId, now, scope)
  const copy = { path: pathOf(file), isDirectory: false }
  await flushCopy(stores, volumeId, { ...copy, into: '', name: 'outside' })
  expect(await readRows(stores, volumeId, now, scope)).toEqual(seen)
  await flushCopy(stores, volumeId, { ...copy, into: pathOf(folder), name: 'inside' })
  const after = await readRows(stores, volumeId, now, scope)
  expect(after.size).toBe(seen.size + 1)
  const root = keyOf('', '', true)
  const { elements } = await listVolumes(stores, scope, { indexingDate: now, page: 1, size: 10 })
  const { size, files, folders } = after.get(root)!
  expect(elements).toMatchObject([{ limited: true, sizeOfFiles: size, numberOfFiles: files, numberOfFolders: folders }])
  expect(after.get(root)).toMatchObject({
    size: seen.get(root)!.size + file.size,
    files: seen.get(root)!.files + 1,
  })
})
