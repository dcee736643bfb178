import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { fillAll, startFigures } from './startFigures.ts'

const platform = await testPlatform()
const { db, clickhouse } = platform
const dates = ['2026-01-01', '2026-01-02', '2026-01-03']
const volumeId = await newVolume(platform, 'Films')
for (const [n, indexingDate] of dates.entries())
  await scanFolders(platform, { volumeId, indexingDate }, [
    { path: '', entries: [{ path: '/a', isDirectory: true }] },
    { path: '/a', entries: [{ path: '/a/b', size: n + 1 }] },
  ])

beforeEach(async () => {
  await sql`TRUNCATE projects CASCADE`.execute(db)
  await sql`TRUNCATE folder_figures`.execute(db)
  const row = db.insertInto('projects').values({ name: 'Rushes', description: '', allocatedSize: 1 }).returning('id')
  const { id: projectId } = await row.executeTakeFirstOrThrow()
  await db.insertInto('projectFolders').values({ projectId, volumeId, path: '/a', isNested: false }).execute()
})

const counted = () => db.selectFrom('folderFigures').select(['indexingDate', 'bytes']).orderBy('indexingDate').execute()
/** The platform with replaced `rows` of the engine. */
const askedBy = (rows: ClickHouse['rows']) => ({ ...platform, clickhouse: { ...clickhouse, rows } })

test('a date that cannot be counted keeps no other back, and is counted later', async () => {
  const days: number[] = []
  const failing = askedBy((question, options) => {
    days.push(days.length)
    return days.length <= 2 ? Promise.reject(new Error('The engine fails')) : clickhouse.rows(question, options)
  })
  await fillAll(failing)
  expect(await counted()).toMatchObject([
    { indexingDate: '2026-01-01', bytes: 1 },
    { indexingDate: '2026-01-02', bytes: 2 },
  ])
  await fillAll(platform)
  expect((await counted()).map(({ bytes }) => bytes)).toEqual([1, 2, 3])
})

test('counted figures are not counted again', async () => {
  await fillAll(platform)
  let count = 0
  await fillAll(askedBy((question, options) => clickhouse.rows(question, (count++, options))))
  expect(count).toBe(0)
})

test('a server that stops does not wait for what is being counted', async () => {
  const begun = Promise.withResolvers<void>()
  const endless = askedBy(async (_, { signal } = {}) => {
    begun.resolve()
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  })
  const running = startFigures(endless)
  await begun.promise
  await running.stop()
  expect(await counted()).toEqual([])
})

test('many dates are counted in one go, though the server hears what it says itself', async () => {
  let looks = 0
  const looked = askedBy((question, options) => {
    looks += 1
    return clickhouse.rows(question, options)
  })
  const sent: unknown[] = []
  const live: typeof platform.live = (event) => {
    sent.push(event)
    platform.live(event)
  }
  const running = startFigures({ ...looked, live })
  await vi.waitFor(async () => expect(await counted()).toHaveLength(dates.length), { timeout: 60_000 })
  await vi.waitFor(() => expect(sent).toHaveLength(2), 60_000)
  await running.stop()
  expect(looks).toBe(2 * dates.length)
})
