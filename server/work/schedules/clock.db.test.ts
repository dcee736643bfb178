import { expect, onTestFinished, test } from 'vitest'
import type { ScheduleDraft } from '#events/schedules/calls.ts'
import { change } from '#server/platform/log/change.ts'
import { updateSchedule } from './changeSchedule.ts'
import { startScheduler } from './index.ts'
import { listSchedules } from './listSchedules.ts'
import { testSchedules } from './testing/testSchedules.ts'

const { db, platform, admin, at, films, endScans, draft, scheduled, run, runsOf } = await testSchedules()

test('a time is not run again when the clock is set back and the schedule is saved again', async () => {
  const id = await scheduled('SCAN_VOLUMES', { volumes: [films] })
  await run('10:00:00')
  await endScans()
  expect(await run('09:59:00')).toBe(0)
  const given = draft('SCAN_VOLUMES', { volumes: [films] })
  const update = (changed: ScheduleDraft) =>
    change(platform, admin, [], (change) => updateSchedule(change, id, changed, at('09:59:30')))
  await update({ ...given, paused: true })
  await update(given)
  await run('10:00:01')
  await run('11:00:00')
  expect((await runsOf(id)).map(({ dueAt }) => dueAt)).toEqual(['10:00:00', '11:00:00'])
})

test('a server that starts with a clock that was put right waits for the right time', async () => {
  const id = await scheduled('SCAN_VOLUMES', { volumes: [films] }, '0 0 10 * * ?')
  await db
    .updateTable('schedules')
    .set({ nextDueAt: new Date('2031-01-01') })
    .execute()
  let now = at('09:59:00')
  const scheduler = startScheduler(platform, () => now)
  await expect
    .poll(() => db.selectFrom('schedules').select('nextDueAt').execute())
    .toEqual([{ nextDueAt: at('10:00:00') }])
  now = at('10:00:00')
  await expect.poll(() => runsOf(id)).toMatchObject([{ outcome: 'started' }])
  await scheduler.stop()
})

test('a clock that is corrected while the server runs changes due times, and missed runs in the future', async () => {
  const id = await scheduled('SCAN_VOLUMES', { volumes: [films] }, '0 0 10 * * ?')
  let now = new Date('2028-05-01T09:59:00Z')
  const scheduler = startScheduler(platform, () => now)
  onTestFinished(() => scheduler.stop())
  await expect.poll(() => runsOf(id)).toHaveLength(2)
  const [shown] = await listSchedules(platform, { jobGroup: 'SCANNER' }, admin)
  expect(shown?.nextRuns[0]).toBe('2028-05-01T10:00:00.000Z')
  await endScans()
  now = at('09:59:00')
  const stored = () => db.selectFrom('schedules').select('nextDueAt').execute()
  await expect.poll(stored).toEqual([{ nextDueAt: at('10:00:00') }])
  const [corrected] = await listSchedules(platform, { jobGroup: 'SCANNER' }, admin)
  expect(corrected?.nextRuns[0]).toBe('2026-05-01T10:00:00.000Z')
  expect(corrected?.lastRun).toMatchObject({ dueAt: '2026-05-01T09:58:59.999Z', outcome: 'started' })
  now = at('10:00:00')
  await expect.poll(() => runsOf(id)).toMatchObject([{}, { dueAt: '10:00:00', outcome: 'started' }])
})

test('a clock that is set back by seconds runs no time twice', async () => {
  const id = await scheduled('SCAN_VOLUMES', { volumes: [films] }, '0 0 10 * * ?')
  let now = at('10:00:01')
  const scheduler = startScheduler(platform, () => now)
  onTestFinished(() => scheduler.stop())
  await expect.poll(() => runsOf(id)).toHaveLength(1)
  now = at('09:59:59')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  now = at('10:00:05')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(await runsOf(id)).toHaveLength(1)
  expect(await db.selectFrom('schedules').select('nextDueAt').execute()).toEqual([
    { nextDueAt: new Date('2026-05-02T10:00:00Z') },
  ])
})

test('in another time zone a start computes due times again, also one that is past by now', async () => {
  onTestFinished(() => void (process.env['TZ'] = 'UTC'))
  const id = await scheduled('SCAN_VOLUMES', { volumes: [films] }, '0 0 10 * * ?')
  process.env['TZ'] = 'America/New_York'
  const scheduler = startScheduler(platform, () => at('10:30:00'))
  onTestFinished(() => scheduler.stop())
  await expect
    .poll(() => db.selectFrom('schedules').select('nextDueAt').execute())
    .toEqual([{ nextDueAt: at('14:00:00') }])
  expect(await runsOf(id)).toEqual([])
})
