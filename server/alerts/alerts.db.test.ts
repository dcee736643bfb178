import { beforeAll, beforeEach, expect, test } from 'vitest'
import { testDb } from '#server/platform/testing.ts'
import { testUser } from '#server/testing.ts'
import { createVolume } from '#server/volumes/index.ts'
import { tellOfVolumes } from './index.ts'
import { spokenSize } from './spokenSize.ts'

const db = await testDb()
const { id: userId } = await testUser(db, [])
const tib = 1024 ** 4

/** A storage of 10 TiB whose newest scan found so many percent of it used. */
async function newVolume(name: string, used: number | null): Promise<number> {
  const volumeId = await createVolume(db, { name, path: `/${name}` })
  const capacity = used === null ? {} : { capacityTotal: 10 * tib, capacityUsed: Math.round((used / 100) * 10 * tib) }
  const scan = { volumeId, jobId: 1, taskId: volumeId, agentId: 1, state: 'done' as const, indexingDate: '2026-05-01' }
  const { id } = await db
    .insertInto('scans')
    .values({ ...scan, ...capacity })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('volumes').set({ committedScan: id }).where('id', '=', volumeId).execute()
  return volumeId
}

let full = 0
let half = 0
let unknown = 0
let unscanned = 0
beforeAll(async () => {
  full = await newVolume('Full', 92.37)
  half = await newVolume('Half', 50)
  unknown = await newVolume('Unknown', null)
  unscanned = await createVolume(db, { name: 'Unscanned', path: '/unscanned' })
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
})

const tell = (threshold: number, volumeIds: number[], key = 'schedule-1 2026-05-01T00:00:00.000Z') =>
  db.transaction().execute((trx) => tellOfVolumes(trx, { name: 'Space', userId, threshold, volumeIds, key }))
const told = () => db.selectFrom('deliveries').select(['userId', 'channel', 'subject', 'body']).execute()

test('a user is told which storages reached the threshold, once for each due time', async () => {
  const reason = 'Full (92.3 %) reached 80 %'
  expect(await tell(80, [half, full])).toEqual({ outcome: 'notified', reason })
  await tell(80, [half, full])
  const body = '1 storage has reached 80 % of the capacity:\n\n- Full: 92.3 % of 10.0 TiB, scanned on 2026-05-01\n'
  const subject = 'Space: 1 storage has reached 80 %'
  expect(await told()).toEqual([{ userId, channel: 'email', subject, body }])
  await tell(80, [half, full], 'schedule-1 2026-05-02T00:00:00.000Z')
  expect(await told()).toHaveLength(2)
})

test('the threshold itself is reached', async () => {
  expect(await tell(50, [half])).toMatchObject({ outcome: 'notified' })
  expect(await tell(50.01, [half])).toEqual({ outcome: 'nothing' })
  expect(await told()).toHaveLength(1)
})

test('a storage whose capacity is not known, or that is gone, is named', async () => {
  const reason = 'The capacity of Unknown, Unscanned is not known; 77777 not set up any more'
  expect(await tell(0, [unknown, unscanned, 77777])).toEqual({ outcome: 'nothing', reason })
  expect(await told()).toEqual([])
  expect(await tell(80, [full, unknown])).toMatchObject({ reason: expect.stringContaining('capacity of Unknown') })
  expect((await told())[0]?.body).toContain('The capacity of Unknown is not known.')
})

test('without an address nobody is told, and the run says so', async () => {
  await db.updateTable('users').set({ email: null }).execute()
  expect(await tell(80, [full])).toEqual({
    outcome: 'failed',
    reason: 'The user has no email address; Full (92.3 %) reached 80 %',
  })
  expect(await told()).toEqual([])
})

test('sizes are told in the unit that one reads', () => {
  expect([0, 1023, 1024, 1.5 * tib, 2 ** 62].map(spokenSize)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KiB',
    '1.5 TiB',
    '4.0 EiB',
  ])
})
