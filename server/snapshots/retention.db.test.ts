import { expect, test } from 'vitest'
import { testDb } from '#server/platform/testing.ts'
import { newVolume } from './model/scanDisk.ts'
import { deleteExpired, expiredDates } from './retention.ts'

const days = (snapshotNumberOfDays: number, snapshotKeepFirstDayOfMonth = false) => ({
  snapshotNumberOfDays,
  snapshotKeepFirstDayOfMonth,
})

test('snapshots are kept for so many days, today included', () => {
  const dates = ['2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10']
  expect(expiredDates(dates, days(1), '2026-03-10')).toEqual(['2026-03-07', '2026-03-08', '2026-03-09'])
  expect(expiredDates(dates, days(3), '2026-03-10')).toEqual(['2026-03-07'])
  expect(expiredDates(dates, days(4), '2026-03-10')).toEqual([])
})

test('the newest snapshot stays, however old it is', () => {
  expect(expiredDates(['2020-01-05', '2020-01-04'], days(30), '2026-03-10')).toEqual(['2020-01-04'])
  expect(expiredDates([], days(30), '2026-03-10')).toEqual([])
})

test('the first snapshot of each month can stay: that of the first day, or else the first one there is', () => {
  const dates = ['2025-12-31', '2026-01-01', '2026-01-02', '2026-02-03', '2026-02-04', '2026-03-09', '2026-03-10']
  expect(expiredDates(dates, days(2, true), '2026-03-11')).toEqual(['2026-01-02', '2026-02-04'])
})

test('what is over is deleted, and nothing else', async () => {
  const db = await testDb()
  const volumeId = await newVolume({ db }, 'kept')
  const dates = ['2026-02-01', '2026-03-09', '2026-03-10', '2026-03-11', '2026-04-09']
  for (const [taskId, indexingDate] of dates.entries()) {
    const row = { volumeId, indexingDate, jobId: 1, taskId, agentId: 1, state: 'done' } as const
    const { id } = await db.insertInto('scans').values(row).returning('id').executeTakeFirstOrThrow()
    await db.insertInto('snapshots').values({ indexingDate, volumeId, scanId: id }).execute()
  }
  expect(await deleteExpired(db, days(30), '2026-04-09')).toEqual(dates.slice(0, 3))
  expect(await deleteExpired(db, days(30), '2026-04-09')).toEqual([])
  const left = await db.selectFrom('snapshots').select('indexingDate').orderBy('indexingDate').execute()
  expect(left.map(({ indexingDate }) => indexingDate)).toEqual(dates.slice(3))
})
