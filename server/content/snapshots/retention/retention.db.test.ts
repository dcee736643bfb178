import { afterEach, expect, test } from 'vitest'
import { openLog } from '#server/platform/logger.ts'
import { today } from '#server/platform/days.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { daysBefore } from '#server/content/snapshots/reading/deletedAt.ts'
import { deleteExpired, expiredDates } from './retention.ts'
import { clean, startRetention } from './startRetention.ts'

const db = await testDb()
let task = 0
/** A volume in the snapshots of these days. */
async function shownOn(...dates: string[]): Promise<number> {
  const volumeId = await newVolume({ db }, `shown ${++task}`)
  for (const indexingDate of dates) {
    const row = { volumeId, indexingDate, jobId: 1, taskId: ++task, agentId: 1, state: 'done' } as const
    const { id } = await db.insertInto('scans').values(row).returning('id').executeTakeFirstOrThrow()
    await db.insertInto('snapshots').values({ indexingDate, volumeId, scanId: id }).execute()
  }
  return volumeId
}
async function left(): Promise<string[]> {
  const rows = await db.selectFrom('snapshots').select('indexingDate').distinct().orderBy('indexingDate').execute()
  return rows.map(({ indexingDate }) => indexingDate)
}
afterEach(async () => {
  await db.deleteFrom('snapshots').execute()
  await db.deleteFrom('configurations').execute()
})

const days = (snapshotNumberOfDays: number, snapshotKeepFirstDayOfMonth = false) => ({
  snapshotNumberOfDays,
  snapshotKeepFirstDayOfMonth,
})

test('snapshots are kept for a number of days, today included', () => {
  const dates = ['2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10']
  expect(expiredDates(dates, days(1), '2026-03-10')).toEqual(['2026-03-07', '2026-03-08', '2026-03-09'])
  expect(expiredDates(dates, days(3), '2026-03-10')).toEqual(['2026-03-07'])
  expect(expiredDates(dates, days(4), '2026-03-10')).toEqual([])
})

test('the newest snapshot stays, however old it is', () => {
  expect(expiredDates(['2020-01-05', '2020-01-04'], days(30), '2026-03-10')).toEqual(['2020-01-04'])
  expect(expiredDates([], days(30), '2026-03-10')).toEqual([])
})

test('the first snapshot of each month can stay: the one of the first day, or else the first one there is', () => {
  const dates = ['2025-12-31', '2026-01-01', '2026-01-02', '2026-02-03', '2026-02-04', '2026-03-09', '2026-03-10']
  expect(expiredDates(dates, days(2, true), '2026-03-11')).toEqual(['2026-01-02', '2026-02-04'])
})

test('expired items are deleted, and nothing else', async () => {
  const dates = ['2026-02-01', '2026-03-09', '2026-03-10', '2026-03-11', '2026-04-09']
  await shownOn(...dates)
  expect(await deleteExpired(db, days(30), '2026-04-09')).toEqual(dates.slice(0, 3))
  expect(await deleteExpired(db, days(30), '2026-04-09')).toEqual([])
  expect(await left()).toEqual(dates.slice(3))
})

test('the newest snapshot of a volume stays, until the volume is deleted', async () => {
  await shownOn('2026-03-02', '2026-04-09')
  const asleep = await shownOn('2026-03-01', '2026-03-02', '2026-03-03')
  expect(await deleteExpired(db, days(5), '2026-04-09')).toEqual(['2026-03-01', '2026-03-02'])
  expect(await left()).toEqual(['2026-03-03', '2026-04-09'])
  await db.updateTable('volumes').set({ deletedAt: new Date() }).where('id', '=', asleep).execute()
  expect(await deleteExpired(db, days(5), '2026-04-09')).toEqual(['2026-03-03'])
})

test('the configuration says for how long, and the event log what was deleted', async () => {
  const set = (name: string, value: string) => db.insertInto('configurations').values({ name, value }).execute()
  const volumeId = await shownOn('2026-01-05', '2026-01-06', '2026-02-03', '2026-02-04', '2026-02-10')
  await db.updateTable('volumes').set({ committedScan: 1 }).where('id', '=', volumeId).execute()
  expect(await clean(db, '2026-02-10')).toBe(0)
  await set('snapshotNumberOfDays', '3')
  expect(await clean(db, '2026-02-10')).toBe(2)
  expect(await left()).toEqual(['2026-01-05', '2026-02-03', '2026-02-10'])
  await set('snapshotKeepFirstDayOfMonth', 'false')
  expect(await clean(db, '2026-02-10')).toBe(2)
  const events = await db
    .selectFrom('events')
    .select(['stream', 'actor'])
    .orderBy('position', 'desc')
    .limit(4)
    .execute()
  expect(events.toReversed()).toEqual(
    ['2026-01-06', '2026-02-04', '2026-01-05', '2026-02-03'].map((date) => ({
      stream: `snapshot-${date}`,
      actor: 'system',
    })),
  )
  const marked = await db.selectFrom('deletedSnapshots').select('volumeId').execute()
  expect(marked.map((row) => row.volumeId)).toContain(volumeId)
})

test('the server removes what is over when it starts, and tells browsers', async () => {
  await shownOn(daysBefore(today(), 900), today())
  const sent: unknown[] = []
  const running = startRetention({ db, live: (event) => void sent.push(event), log: openLog(undefined) })
  await running.stop()
  expect(await left()).toHaveLength(2)
  await db.insertInto('configurations').values({ name: 'snapshotKeepFirstDayOfMonth', value: 'false' }).execute()
  await startRetention({ db, live: (event) => void sent.push(event), log: openLog(undefined) }).stop()
  expect(await left()).toEqual([today()])
  expect(sent).toEqual([{ type: 'changed', topics: ['snapshots', 'volumes', 'dashboard'] }])
})
