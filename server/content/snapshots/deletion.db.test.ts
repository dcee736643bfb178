import { beforeAll, expect, test } from 'vitest'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { system } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { deletedAt } from './reading/deletedAt.ts'
import { deleteSnapshot } from './retention/deleteSnapshot.ts'
import { dropReplacedGenerations } from './commit/leftovers.ts'
import { fatesBetween } from './oracle/fatesBetween.ts'
import { newKeptDates } from './oracle/keptDates.ts'
import { newRandom } from './oracle/random.ts'
import { newVolume } from './oracle/scanDisk.ts'
import { type File, scanFolders } from './oracle/scanFolders.ts'
import { removeUnshown } from './retention/removeUnshown.ts'
import { snapshotAt } from './reading/snapshotAt.ts'
import { cases, isLong, testSeed } from '#server/platform/testing/cases.ts'

let stores: { db: Db; clickhouse: ClickHouse }
beforeAll(async () => {
  stores = { db: await testDb(), clickhouse: await testClickHouse() }
})

const random = newRandom(testSeed(17))
const marked = () => stores.db.selectFrom('deletedSnapshots').select('volumeId').execute()
/** Repeats until nothing is left to remove. */
const removeAll = () =>
  expect
    .poll(
      async () => {
        await removeUnshown(stores, 0)
        return marked()
      },
      { timeout: 120_000 },
    )
    .toEqual([])

let day = 0
/** Ten days after the previous one, so deleted entries are listed on exactly three dates. */
const nextDate = () => new Date(Date.UTC(2026, 0, 1) + 864e6 * day++).toISOString().slice(0, 10)

const versions = async () =>
  (await stores.clickhouse.one<{ count: number }>(sql`SELECT count() AS count FROM entry_history`)).count

class KilledError extends Error {}
/** A ClickHouse that stops working after this many statements. */
function dyingAfter(statements: number): ClickHouse {
  let left = statements
  const command: ClickHouse['command'] = async (statement) => {
    if (left-- <= 0) throw new KilledError()
    await stores.clickhouse.command(statement)
  }
  return { ...stores.clickhouse, command }
}

test('after any dates are deleted, the others answer as before, also during the deletion and after a kill', async () => {
  const { dates, scan, findWrong, volumes } = await newKeptDates(stores, random, ['one', 'two'])
  for (const volume of volumes) await scan(nextDate(), volume)
  for (let round = 0; round < cases(1, 12); round++) {
    for (let scans = 0; scans < 2; scans++) await scan(nextDate())
    const kept = [...dates.keys()]
    const date = round % 3 === 1 ? (kept.at(-1) ?? '') : random.pick(kept.slice(1))
    await deleteSnapshot(stores.db, date, system)
    dates.delete(date)
    await removeUnshown({ ...stores, clickhouse: dyingAfter(random.below(3)) }, 0).catch(isKill)
    expect(await findWrong()).toEqual([])
  }
  for (const date of [...dates.keys()].slice(2, 4)) {
    await deleteSnapshot(stores.db, date, system)
    dates.delete(date)
  }
  const before = await versions()
  await removeAll()
  expect(await findWrong()).toEqual([])
  expect(await versions()).toBeLessThan(before)
  await expectNothingUnshown()
})

const isKill = (error: unknown) => expect(error).toBeInstanceOf(KilledError)

/** Only statistics and changed versions that some date shows are left. */
async function expectNothingUnshown(): Promise<void> {
  const shown = await stores.db.selectFrom('snapshots').select(['volumeId', 'scanId']).execute()
  const history = await stores.clickhouse.rows<{ volume: number; from: number; to: number }>(sql`
    SELECT volume, from_scan AS from, to_scan AS to FROM entry_history WHERE ended = 'changed'`)
  const unshown = history.filter(
    ({ volume, from, to }) =>
      !shown.some(({ volumeId, scanId }) => volumeId === volume && from <= scanId && scanId < to),
  )
  expect(unshown).toEqual([])
  const committed = await stores.db.selectFrom('volumes').select(['id', 'committedScan']).execute()
  const counted = await stores.clickhouse.rows<{ scan: number }>(sql`SELECT DISTINCT scan FROM volume_statistics`)
  const expected = [...shown.map(({ scanId }) => scanId), ...committed.map(({ committedScan }) => committedScan)]
  const inOrder = (scans: unknown[]) => [...new Set(scans.filter((scan) => scan !== null))].sort()
  expect(inOrder(counted.map(({ scan }) => scan))).toEqual(inOrder(expected))
}

test('where an entry went between two dates is known when those between are deleted', async () => {
  const volumeId = await newVolume(stores, 'ways')
  const dates = ['2024-01-01', '2024-03-01', '2024-05-01', '2024-07-01', '2024-09-01'] as const
  const found: File[][] = [
    [
      { path: '/a', inode: 5 },
      { path: '/r', inode: 6 },
    ],
    [
      { path: '/a', inode: 5, size: 20 },
      { path: '/r', inode: 6, size: 20 },
    ],
    [{ path: '/b', inode: 5, size: 20 }],
    [
      { path: '/b', inode: 5, size: 20 },
      { path: '/r', inode: 7 },
    ],
    [
      { path: '/b', inode: 5, size: 20 },
      { path: '/s', inode: 7 },
    ],
  ]
  for (const [i, entries] of found.entries())
    await scanFolders(stores, { volumeId, indexingDate: dates[i] ?? '' }, [{ path: '', entries }])
  const ways = [`${volumeId}  is at `, `${volumeId} /a is at /b`, `${volumeId} /r was deleted at /r`].join('\n')
  expect(await fatesBetween(stores, dates[0], dates[4])).toBe(ways)
  for (const date of dates.slice(1, 4)) await deleteSnapshot(stores.db, date, system)
  await removeAll()
  expect(await fatesBetween(stores, dates[0], dates[4])).toBe(ways)
  const left = await stores.clickhouse.rows(sql`
    SELECT concat(parent_path, name) AS path, toString(ended) AS ended FROM entry_history
    WHERE volume = ${volumeId} AND NOT is_directory ORDER BY path, to_scan`)
  expect(left).toEqual([
    { path: '/a', ended: 'changed' },
    { path: '/a', ended: 'moved' },
    { path: '/r', ended: 'changed' },
    { path: '/r', ended: 'deleted' },
  ])
})

test('a deleted entry that returned and was moved is not listed as deleted if the date with its return is gone', async () => {
  const volumeId = await newVolume(stores, 'back and away')
  const dates = ['2025-01-01', '2025-01-02', '2025-01-03', '2025-01-04'] as const
  const gone: File = { path: '/gone' }
  const found: File[][] = [[gone, { path: '/x', inode: 5 }], [], [{ path: '/x', inode: 6 }], [{ path: '/y', inode: 6 }]]
  for (const [i, entries] of found.entries())
    await scanFolders(stores, { volumeId, indexingDate: dates[i] ?? '' }, [{ path: '', entries }])
  const listed = async () => {
    const snapshot = await snapshotAt(stores.db, 'everything', dates[3])
    const rows = await stores.clickhouse.rows<{ name: string }>(sql`
      SELECT name FROM ${await deletedAt(stores.db, snapshot!)} WHERE volume = ${volumeId}`)
    return rows.map(({ name }) => name)
  }
  expect(await listed()).toEqual(['gone'])
  await deleteSnapshot(stores.db, dates[2], system)
  await removeAll()
  expect(await listed()).toEqual(['gone'])
})

test.runIf(isLong)(
  'questions are right while a date is deleted, its rows are removed and a scan is committed',
  async () => {
    const { dates, scan, findWrong } = await newKeptDates(stores, random, ['three'])
    for (let scans = 0; scans < 4; scans++) await scan(nextDate())
    const [, deleted = ''] = dates.keys()
    dates.delete(deleted)
    let isOver = false
    const asking = (async () => {
      const wrong: string[] = []
      do wrong.push(...(await findWrong()))
      while (!isOver)
      return wrong
    })()
    await deleteSnapshot(stores.db, deleted, system)
    await Promise.all([removeAll(), scan(nextDate())])
    isOver = true
    expect(await asking).toEqual([])
    expect(await findWrong()).toEqual([])
  },
)

test('a removal that fails is ended and started again', async () => {
  const volumeId = await newVolume(stores, 'six')
  const dates = [nextDate(), nextDate()] as const
  for (const [n, indexingDate] of dates.entries())
    await scanFolders(stores, { volumeId, indexingDate }, [{ path: '', entries: [{ path: '/a', size: n }] }])
  await stores.clickhouse.command(sql`
    ALTER TABLE entry_history DELETE WHERE throwIf(volume > 0, 'No room') = 1 SETTINGS mutations_sync = 0`)
  await deleteSnapshot(stores.db, dates[0], system)
  const messages: string[] = []
  const remove = () => removeUnshown(stores, 0).catch((error: Error) => void messages.push(error.message))
  await expect.poll(async () => (await remove(), marked()), { timeout: 120_000 }).toEqual([])
  expect(messages.length).toBeGreaterThan(0)
  for (const message of messages) expect(message).toMatch(/^Removing rows of entry_history failed: .*No room/)
})

type Tuple<T> = [T, T, T]

test('a volume without dates is forgotten, and its next scan is a first one; a deleted one loses its tags', async () => {
  const { dates, scan, findWrong, volumes } = await newKeptDates(stores, random, ['four', 'five', 'erased'])
  const [volume, other, erased] = volumes as Tuple<(typeof volumes)[number]>
  const state = () =>
    stores.db
      .selectFrom('volumes')
      .select(['committedScan', 'generation'])
      .where('id', '=', volume.id)
      .executeTakeFirst()
  const rows = async () =>
    (
      await stores.clickhouse.one<{ count: number }>(sql`
        SELECT (SELECT count() FROM entries WHERE volume = ${volume.id})
          + (SELECT count() FROM entry_history WHERE volume = ${volume.id})
          + (SELECT count() FROM volume_statistics WHERE volume = ${volume.id}) AS count`)
    ).count
  await scan(nextDate(), erased)
  await scan(nextDate(), volume)
  await scan(nextDate(), volume)
  const tag = (id: number) => sql`('raw', ${id}, '/', 'a', false, '2026-01-01', '2149-06-06', 1)`
  await stores.clickhouse.command(sql`
    INSERT INTO entry_tags (tag, volume, parent_path, name, is_directory, from_date, to_date, version)
    VALUES ${tag(volume.id)}, ${tag(erased.id)}`)
  const tagged = async () =>
    (await stores.clickhouse.rows<{ volume: number }>(sql`SELECT volume FROM entry_tags ORDER BY volume`)).map(
      (row) => row.volume,
    )
  await stores.db.updateTable('volumes').set({ deletedAt: new Date() }).where('id', '=', erased.id).execute()
  await removeAll()
  expect(await tagged()).toEqual([volume.id, erased.id])
  for (const date of dates.keys()) await deleteSnapshot(stores.db, date, system)
  dates.clear()
  await removeUnshown(stores, 0)
  expect(await state()).toMatchObject({ generation: expect.any(Number) })
  await scan(nextDate(), other)
  for (const { id } of [volume, erased]) dates.get([...dates.keys()].at(-1) ?? '')?.rows.delete(id)
  await removeAll()
  await removeAll()
  await dropReplacedGenerations(stores, 0)
  expect(await state()).toEqual({ committedScan: null, generation: null })
  expect(await rows()).toBe(0)
  expect(await tagged()).toEqual([volume.id])
  Object.assign(volume, { known: new Map(), rows: new Map() })
  await scan(nextDate(), volume)
  expect(await findWrong()).toEqual([])
})
