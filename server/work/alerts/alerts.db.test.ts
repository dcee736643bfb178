import { beforeAll, beforeEach, expect, test } from 'vitest'
import { testDb } from '#server/platform/testing/stores.ts'
import { testUser } from '#server/testing.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { alertOnVolumes } from './index.ts'

const db = await testDb()
const { id: userId } = await testUser(db, [])
const tib = 1024 ** 4

/** A storage of 10 TiB, a twentieth of it reserved; in its newest scan this percentage of the rest is used. */
async function newVolume(name: string, used: number | null): Promise<number> {
  const volumeId = await createFileStorage(db, { name, path: `/${name}` })
  const capacity = used === null ? {} : sizesOf(used)
  const scan = { volumeId, jobId: 1, taskId: volumeId, agentId: 1, state: 'done' as const, indexingDate: '2026-05-01' }
  const { id } = await db
    .insertInto('scans')
    .values({ ...scan, ...capacity })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('volumes').set({ committedScan: id }).where('id', '=', volumeId).execute()
  return volumeId
}

function sizesOf(used: number) {
  const capacityUsed = Math.round((used / 100) * 9.5 * tib)
  return { capacityTotal: 10 * tib, capacityUsed, capacityFree: 9.5 * tib - capacityUsed }
}

let full = 0
let half = 0
let unknown = 0
let unscanned = 0
let scheduleId = 0
beforeAll(async () => {
  full = await newVolume('Full', 92.37)
  half = await newVolume('Half', 50)
  unknown = await newVolume('Unknown', null)
  unscanned = await createFileStorage(db, { name: 'Unscanned', path: '/unscanned' })
  // A scan that was not committed counts nothing.
  const scan = { volumeId: half, jobId: 1, taskId: 999, agentId: 1, indexingDate: '2026-05-02' }
  await db
    .insertInto('scans')
    .values({ ...scan, capacityTotal: tib, capacityUsed: tib })
    .execute()
})
beforeEach(async () => {
  await db.updateTable('users').set({ email: 'ana@example.com' }).execute()
  await db.deleteFrom('deliveries').execute()
  await db.deleteFrom('schedules').execute()
  const draft = { name: 'Space', cron: '0 0 0 * * ?', jobGroup: 'ALERT', jobClass: 'VOLUME_SPACE_ALERT' } as const
  const row = db
    .insertInto('schedules')
    .values({ ...draft, payload: '{}', paused: false, userId })
    .returning('id')
  scheduleId = (await row.executeTakeFirstOrThrow()).id
})

const tell = (threshold: number, volumeIds: number[], day = '2026-05-01') =>
  db.transaction().execute((trx) => {
    const at = new Date(`${day}T00:00:00Z`)
    const key = `schedule-1 ${at.toISOString()}`
    const alert = { name: 'Space', scheduleId, userId, threshold, key, at, repeats: true }
    return alertOnVolumes(trx, { ...alert, volumeIds })
  })
const deliveries = () => db.selectFrom('deliveries').select(['userId', 'channel', 'subject', 'body']).execute()

test('a user is notified which storages reached the threshold, once for each due time', async () => {
  const reason = 'Full is at 92.3 %'
  expect(await tell(80, [half, full])).toEqual({ outcome: 'notified', reason })
  expect(await tell(80, [half, full])).toEqual({ outcome: 'nothing' })
  const body =
    '1 storage has reached 80 % of the capacity:\n\n- Full: 92.3 % used, 742.2 GiB available of 10.0 TiB, scanned on 2026-05-01\n'
  const subject = 'Space: Full has reached 80 %'
  expect(await deliveries()).toEqual([{ userId, channel: 'email', subject, body }])
  await tell(80, [half, full], '2026-05-02')
  expect(await deliveries()).toHaveLength(2)
})

test('the threshold itself is reached', async () => {
  expect(await tell(50, [half])).toMatchObject({ outcome: 'notified' })
  expect(await tell(50.01, [half])).toEqual({ outcome: 'nothing' })
  expect(await deliveries()).toHaveLength(1)
})

test('a disk that is full to its users is full, though a part of it is kept for the system', async () => {
  const filled = await newVolume('Filled', 100)
  expect(await tell(96, [filled])).toEqual({ outcome: 'notified', reason: 'Filled is at 100 %' })
})

test('storages on one disk have the fill level of its newest scan', async () => {
  const [older, newer] = [await newVolume('Older', 10), await newVolume('Newer', 90)]
  const scans = db.updateTable('scans').set({ fileSystem: 'north:1' }).where('volumeId', 'in', [older, newer])
  await scans.execute()
  expect(await tell(80, [older])).toEqual({ outcome: 'notified', reason: 'Older is at 90 %' })
})

test('a storage whose capacity is not known, or that is gone, is named', async () => {
  const reason = 'The capacity of Unknown, Unscanned is not known; 77777 no longer set up'
  expect(await tell(0, [unknown, unscanned, 77777])).toEqual({ outcome: 'unknown', reason })
  expect(await deliveries()).toEqual([])
  expect(await tell(80, [full, unknown])).toMatchObject({ reason: expect.stringContaining('capacity of Unknown') })
  expect((await deliveries())[0]?.body).toContain('The capacity of Unknown is not known.')
})

test('without an address no one is notified, and the run reports it', async () => {
  await db.updateTable('users').set({ email: null }).execute()
  expect(await tell(80, [full])).toEqual({
    outcome: 'failed',
    reason: 'The user has no email address; Full is at 92.3 %',
  })
  expect(await deliveries()).toEqual([])
})
