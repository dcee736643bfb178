import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { sql } from 'kysely'
import { ScheduleDraft } from '#events/schedules/calls.ts'
import { change } from '#server/platform/log/change.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { startFigures } from '#server/work/projects/index.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { testUser } from '#server/testing.ts'
import { alertAfterScans } from './alertsAfterScans.ts'
import { createSchedule, updateSchedule } from './changeSchedule.ts'
import { startAlertsAfterScans } from './index.ts'
import { listSchedules } from './listSchedules.ts'

const platform = await testPlatform()
const { db } = platform
const ana = { ...(await testUser(db, [])), roles: [], address: '127.0.0.1' }
await db.updateTable('users').set({ email: 'ana@example.com' }).execute()
const volumeId = await newVolume(platform, 'Films')
let projectId = 0

beforeEach(async () => {
  await sql`TRUNCATE projects, schedules, snapshots, deliveries CASCADE`.execute(db)
  const row = db.insertInto('projects').values({ name: 'Rushes', description: '', allocatedSize: 10 }).returning('id')
  projectId = (await row.executeTakeFirstOrThrow()).id
  await db.insertInto('projectFolders').values({ projectId, volumeId, path: '/a', isNested: false }).execute()
})

const draft = (threshold: number, more: object = {}) =>
  ScheduleDraft.parse({
    name: 'Space',
    cron: '0 0 0 1 1 ? 2099',
    jobGroup: 'ALERT',
    jobClass: 'PROJECT_SPACE_ALERT',
    payload: { threshold, resourceIds: [projectId], repeatHours: 0 },
    ...more,
  })
const create = (threshold: number) =>
  change(platform, ana, [], (change) => createSchedule(change, draft(threshold), new Date()))
const update = (id: number, to: ScheduleDraft) =>
  change(platform, ana, [], (change) => updateSchedule(change, id, to, new Date()))
const scan = (indexingDate: string, size: number) =>
  scanFolders(platform, { volumeId, indexingDate }, [
    { path: '', entries: [{ path: '/a', isDirectory: true }] },
    { path: '/a', entries: [{ path: '/a/b', size }] },
  ])
const reasons = async () => {
  const runs = db.selectFrom('scheduleRuns').select(['outcome', 'reason']).orderBy('dueAt')
  return (await runs.execute()).map(({ outcome, reason }) => `${outcome}: ${reason}`)
}
const mails = async () => (await db.selectFrom('deliveries').select('subject').execute()).length

test('a scan that makes a project cross its threshold is reported automatically, once, by any replica', async () => {
  const id = await create(80)
  const running = [startFigures, startAlertsAfterScans, startAlertsAfterScans].map((start) => start(platform))
  onTestFinished(() => Promise.all(running.map((one) => one.stop())).then(() => {}))
  const scanned = async (indexingDate: string, size: number) => {
    await scan(indexingDate, size)
    platform.live({ type: 'changed', topics: ['snapshots'] })
    const known = db.selectFrom('folderFigures').select('bytes').where('indexingDate', '=', indexingDate)
    await vi.waitFor(async () => expect(await known.execute()).toEqual([{ bytes: size }]), { timeout: 60_000 })
  }
  await scanned('2026-05-01', 7)
  await scanned('2026-05-02', 8)
  const first = 'notified: Rushes is at 80 %'
  await vi.waitFor(async () => expect(await reasons()).toEqual([first]), { timeout: 60_000 })
  await scanned('2026-05-03', 9)
  await scanned('2026-05-04', 5)
  const reached = db.selectFrom('alertStates').selectAll().where('isReached', '=', true)
  await vi.waitFor(async () => expect(await reached.execute()).toEqual([]), {
    timeout: 60_000,
  })
  await scanned('2026-05-05', 12)
  const second = 'notified: Rushes is at 120 %'
  await vi.waitFor(async () => expect(await reasons()).toEqual([first, second]), { timeout: 60_000 })
  expect(await mails()).toBe(2)
  const types = (await readStream(db, `schedule-${id}`)).map(({ event }) => (event as { type: string }).type)
  const [fired, cleared, sent] = ['AlertFiring', 'AlertCleared', 'ScheduleNotified']
  expect(types).toEqual(['Created', fired, sent, cleared, fired, sent])
})

test('an alert that is changed is another one, and one that is paused tells nothing', async () => {
  await scan('2026-06-01', 9)
  const running = startFigures(platform)
  const known = db.selectFrom('folderFigures').select('bytes').where('indexingDate', '=', '2026-06-01')
  await vi.waitFor(async () => expect(await known.execute()).toHaveLength(1), { timeout: 60_000 })
  await running.stop()
  const id = await create(80)
  const look = () => alertAfterScans(platform, new Date())
  await look()
  await update(id, draft(80, { name: 'Other' }))
  await look()
  expect(await reasons()).toHaveLength(1)
  await update(id, draft(85, { paused: true }))
  await look()
  expect(await reasons()).toHaveLength(1)
  await update(id, draft(85))
  await look()
  await look()
  expect(await reasons()).toEqual(['notified: Rushes is at 90 %', 'notified: Rushes is at 90 %'])
})

test('an alert of storages is evaluated after scans too, and a missing address is recorded once', async () => {
  const payload = { threshold: 80, resourceIds: [volumeId] }
  const id = await change(platform, ana, [], (change) =>
    createSchedule(change, draft(80, { jobClass: 'VOLUME_SPACE_ALERT', payload }), new Date()),
  )
  const look = () => alertAfterScans(platform, new Date())
  await scan('2026-07-01', 9)
  await look()
  expect(await reasons()).toEqual([])
  const scans = db.updateTable('scans').set({ capacityTotal: 100, capacityUsed: 90, capacityFree: 10 })
  await scans.where('volumeId', '=', volumeId).execute()
  await db.updateTable('users').set({ email: null }).execute()
  await look()
  await look()
  const missing = 'failed: The user has no email address; Films is at 90 %'
  expect(await reasons()).toEqual([missing])
  await db.updateTable('users').set({ email: 'ana@example.com' }).execute()
  await look()
  expect(await reasons()).toEqual([missing, 'notified: Films is at 90 %'])
  const listed = () => listSchedules(platform, { jobGroup: 'ALERT' }, ana)
  expect((await listed())[0]?.lastRun?.mail).toEqual({ state: 'waiting', reason: null })
  await db.updateTable('deliveries').set({ state: 'failed', reason: 'refused: 550 No such user' }).execute()
  expect(await listed()).toMatchObject([
    { id, lastRun: { outcome: 'notified', mail: { state: 'failed', reason: 'refused: 550 No such user' } } },
  ])
})
