import { beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { testDb } from '#server/platform/testing/stores.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { testUser } from '#server/testing.ts'
import { alertOnFailedScans, alertOnGrowth, alertOnOverdueScans } from './index.ts'

const db = await testDb()
const { id: userId } = await testUser(db, [])
const gib = 1024 ** 3
let [films, scheduleId, tasks] = [0, 0, 0]
/** The clock of the evaluations. */
let at = new Date('2026-05-10T12:00:00Z')

beforeEach(async () => {
  await sql`TRUNCATE volumes, scans, snapshots, deliveries, schedules RESTART IDENTITY CASCADE`.execute(db)
  at = new Date('2026-05-10T12:00:00Z')
  await db.updateTable('users').set({ email: 'ana@example.com' }).execute()
  films = await createFileStorage(db, { name: 'Films', path: '/films' })
  await db
    .updateTable('volumes')
    .set({ createdAt: new Date('2026-05-01T12:00:00Z') })
    .execute()
  const draft = { name: 'Scans', cron: '0 0 * * * ?', jobGroup: 'ALERT', jobClass: 'SCAN_FAILED_ALERT' } as const
  const row = db.insertInto('schedules').values({ ...draft, payload: '{}', paused: false, userId })
  scheduleId = (await row.returning('id').executeTakeFirstOrThrow()).id
})

/** A scan of the films that ended on a day; a completed one is committed and becomes the snapshot of the day. */
async function scanned(
  indexingDate: string,
  end: { state: 'done' | 'failed' | 'cancelled'; reason?: string; bytes?: number },
) {
  const scan = { volumeId: films, jobId: 1, taskId: ++tasks, agentId: 1, indexingDate, ...end }
  const row = db.insertInto('scans').values({ ...scan, finishedAt: new Date(`${indexingDate}T12:00:00Z`) })
  const { id: scanId } = await row.returning('id').executeTakeFirstOrThrow()
  if (end.state !== 'done') return
  await db.updateTable('volumes').set({ committedScan: scanId }).where('id', '=', films).execute()
  await db.insertInto('snapshots').values({ indexingDate, volumeId: films, scanId }).execute()
}

const base = (repeats: boolean) => {
  at = new Date(at.getTime() + 60_000)
  return { name: 'Scans', scheduleId, userId, key: `schedule-1 ${at.toISOString()}`, at, repeats, volumeIds: [films] }
}
const onFailed = (repeats = false) => db.transaction().execute((trx) => alertOnFailedScans(trx, base(repeats)))
const onOverdue = (days: number) =>
  db.transaction().execute((trx) => alertOnOverdueScans(trx, { ...base(false), days }))
const onGrowth = (limit: { threshold?: number; growthDays: number; growthBytes?: number }) =>
  db.transaction().execute((trx) => alertOnGrowth(trx, { ...base(true), threshold: 10, repeatHours: 0, ...limit }))
const state = () =>
  db.selectFrom('schedules').select(['alertState', 'alertReason', 'evaluatedAt']).executeTakeFirstOrThrow()
const subjects = async () =>
  (await db.selectFrom('deliveries').select('subject').orderBy('id').execute()).map((one) => one.subject)

test('a failed scan is reported once, until a scan completes and another one fails', async () => {
  await scanned('2026-05-08', { state: 'done' })
  expect(await onFailed()).toEqual({ outcome: 'nothing' })
  expect(await state()).toEqual({ alertState: 'ok', alertReason: null, evaluatedAt: at })
  await scanned('2026-05-09', { state: 'failed', reason: 'No such mount' })
  const reported = { outcome: 'notified', reason: 'Films: last scan failed' }
  expect(await onFailed()).toEqual(reported)
  expect(await onFailed()).toEqual({ outcome: 'nothing' })
  expect(await state()).toMatchObject({ alertState: 'firing', alertReason: reported.reason })
  await scanned('2026-05-10', { state: 'done' })
  expect(await onFailed()).toEqual({ outcome: 'nothing' })
  expect(await state()).toMatchObject({ alertState: 'ok' })
  expect(await subjects()).toEqual(['Scans: Films has a failed scan'])
})

test('a failure that lasts is reported again at due times, but not within the interval', async () => {
  await scanned('2026-05-09', { state: 'failed', reason: 'No such mount' })
  expect(await onFailed(true)).toMatchObject({ outcome: 'notified' })
  expect(await onFailed(true)).toEqual({ outcome: 'nothing' })
  at = new Date('2026-05-11T12:00:00Z')
  expect(await onFailed(true)).toMatchObject({ outcome: 'notified' })
  const { body } = await db.selectFrom('deliveries').select('body').executeTakeFirstOrThrow()
  expect(body).toBe('1 storage has a failed scan:\n\n- Films: No such mount, on 2026-05-09\n')
})

test('a canceled scan does not count as failed', async () => {
  await scanned('2026-05-08', { state: 'done' })
  await scanned('2026-05-09', { state: 'cancelled' })
  expect(await onFailed()).toEqual({ outcome: 'nothing' })
})

test('a storage is overdue without a completed scan for some days, also if all of them failed', async () => {
  await scanned('2026-05-07', { state: 'done' })
  await scanned('2026-05-10', { state: 'failed' })
  expect(await onOverdue(4)).toEqual({ outcome: 'nothing' })
  expect(await onOverdue(3)).toEqual({ outcome: 'notified', reason: 'Films: not scanned for 3 days' })
  await scanned('2026-05-10', { state: 'done' })
  expect(await onOverdue(3)).toEqual({ outcome: 'nothing' })
  expect(await subjects()).toEqual(['Scans: Films has not been scanned for 3 days'])
})

test('a storage that was never scanned is overdue some days after it was added', async () => {
  expect(await onOverdue(10)).toEqual({ outcome: 'nothing' })
  expect(await onOverdue(9)).toMatchObject({ outcome: 'notified' })
  const { body } = await db.selectFrom('deliveries').select('body').executeTakeFirstOrThrow()
  expect(body).toContain('- Films: never scanned, added on 2026-05-01')
})

test('growth is since the oldest snapshot within the days, in percent or bytes', async () => {
  await scanned('2026-05-01', { state: 'done', bytes: 1 * gib })
  await scanned('2026-05-05', { state: 'done', bytes: 90 * gib })
  await scanned('2026-05-10', { state: 'done', bytes: 100 * gib })
  expect(await onGrowth({ growthDays: 7 })).toEqual({
    outcome: 'notified',
    reason: 'Films grew by 11.1 % within 7 days',
  })
  expect(await onGrowth({ growthDays: 7, threshold: 12 })).toEqual({ outcome: 'nothing' })
  expect(await onGrowth({ growthDays: 7, growthBytes: 10 * gib })).toEqual({
    outcome: 'notified',
    reason: 'Films grew by 10.0 GiB within 7 days',
  })
  expect(await onGrowth({ growthDays: 7, growthBytes: 10 * gib + 1 })).toEqual({ outcome: 'nothing' })
  expect((await subjects()).at(-1)).toBe('Scans: Films has grown by 10.0 GiB within 7 days')
})

test('growth without an earlier snapshot can’t be evaluated, and the alert says so', async () => {
  await scanned('2026-05-10', { state: 'done', bytes: gib })
  const reason = 'There is no earlier snapshot within 7 days to compare Films with'
  expect(await onGrowth({ growthDays: 7 })).toEqual({ outcome: 'unknown', reason })
  expect(await state()).toMatchObject({ alertState: 'unknown', alertReason: reason })
})

test('a state between the two thresholds is still firing', async () => {
  await scanned('2026-05-09', { state: 'failed' })
  await onFailed()
  await onFailed()
  expect(await state()).toMatchObject({ alertState: 'firing' })
})
