import { beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { createApp } from '#server/app.ts'
import { testReceiver } from '#server/messages/notifications/testing.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { asUser, testUser } from '#server/testing.ts'
import { alertAfterScans } from './alertsAfterScans.ts'
import { runDue, scheduleRoutes } from './index.ts'

process.env['TZ'] = 'UTC'
const platform = await testPlatform()
const { db } = platform
const app = createApp(
  platform,
  scheduleRoutes(platform, () => new Date('2026-05-01T10:30:00Z')),
)
const newUser = async (roles: Parameters<typeof testUser>[1]) => {
  const { id } = await testUser(db, roles)
  return { id, ask: asUser(app, await openSession(db, id, '127.0.0.1')) }
}
const admin = await newUser(['ROLE_ADMIN'])
const ana = await newUser([])
await db.updateTable('users').set({ email: 'ana@example.com', confirmedEmail: 'ana@example.com' }).execute()
const path = '/api/v1/schedules'
let tasks = 0

beforeEach(() => sql`TRUNCATE volumes, scans, snapshots, deliveries, schedules RESTART IDENTITY CASCADE`.execute(db))

/** A storage that is used by this percentage. */
async function newStorage(name: string, used: number): Promise<number> {
  const volumeId = await createFileStorage(db, { name, path: `/${name}` })
  const scan = { volumeId, jobId: 1, taskId: ++tasks, agentId: 1, state: 'done' as const, indexingDate: '2026-05-01' }
  const row = db
    .insertInto('scans')
    .values({ ...scan, capacityTotal: 100, capacityUsed: used, capacityFree: 100 - used })
  const { id } = await row.returning('id').executeTakeFirstOrThrow()
  await db.updateTable('volumes').set({ committedScan: id }).where('id', '=', volumeId).execute()
  return volumeId
}
const alert = (more: object = {}, payload: object = {}) => ({
  name: 'Space',
  cron: '0 0 12 * * ?',
  jobGroup: 'ALERT',
  jobClass: 'VOLUME_SPACE_ALERT',
  payload: { threshold: 85, resourceIds: [], all: true, repeatHours: 0, ...payload },
  ...more,
})
const create = async (body: object, { ask } = admin): Promise<number> =>
  (await ask('POST', path, body).expect(200)).body.id
const listed = async ({ ask } = admin) => (await ask('GET', `${path}?jobGroup=ALERT`).expect(200)).body
const refused = async (body: object, { ask } = admin) => (await ask('POST', path, body).expect(400)).body.subErrors
const deliveries = () =>
  db.selectFrom('deliveries').select(['channel', 'userId', 'address', 'subject', 'body']).orderBy('id').execute()
const after = (time: string) => alertAfterScans(platform, new Date(`2026-05-01T${time}Z`))

test('an alert of all storages watches those that are added later, after their scan', async () => {
  await newStorage('Films', 50)
  await create(alert())
  await after('11:00:00')
  expect(await listed()).toMatchObject([
    { lastRun: null, alert: { state: 'ok', evaluatedAt: '2026-05-01T11:00:00.000Z', reason: null, lastSent: null } },
  ])
  const music = await newStorage('Music', 90)
  await after('11:10:00')
  expect(await listed()).toMatchObject([
    {
      alert: {
        state: 'firing',
        reason: 'Music is at 90 %',
        lastSent: { at: '2026-05-01T11:10:00.000Z', deliveries: [{ to: 'Your address', state: 'waiting' }] },
      },
    },
  ])
  await db.updateTable('volumes').set({ deletedAt: new Date() }).where('id', '=', music).execute()
  await after('11:20:00')
  expect(await listed()).toMatchObject([{ alert: { state: 'ok' } }])
})

test('the result of messages stays visible after later runs without any', async () => {
  await newStorage('Films', 90)
  await create(alert())
  await runDue(platform, new Date('2026-05-01T12:00:00Z'))
  await db.updateTable('deliveries').set({ state: 'failed', reason: 'refused: 550 No such user' }).execute()
  await db.updateTable('scans').set({ capacityUsed: 10, capacityFree: 90 }).execute()
  await runDue(platform, new Date('2026-05-02T12:00:00Z'))
  expect(await listed()).toMatchObject([
    {
      lastRun: { outcome: 'nothing', mail: null },
      alert: {
        state: 'ok',
        lastSent: { at: '2026-05-01T12:00:00.000Z', deliveries: [{ to: 'Your address', state: 'failed' }] },
      },
    },
  ])
})

test('an administrator sends an alert to other addresses and a webhook; the log has no address of a webhook', async () => {
  await newStorage('Films', 90)
  const webhook = 'https://hooks.slack.com/services/T0/B0/secret'
  const delivery = { email: false, addresses: ['ops@example.com', 'ops@example.com'], webhook }
  const id = await create(alert({ delivery }))
  expect(await listed()).toMatchObject([{ delivery: { email: false, addresses: ['ops@example.com'], webhook } }])
  await runDue(platform, new Date('2026-05-01T12:00:00Z'))
  const subject = 'Space: Films has reached 85 %'
  expect(await deliveries()).toMatchObject([
    { channel: 'email', userId: null, address: 'ops@example.com', subject },
    { channel: 'webhook', userId: admin.id, subject },
  ])
  const [, posted] = await deliveries()
  expect(JSON.parse(posted?.body ?? '')).toMatchObject({
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    alert: { id, name: 'Space' },
    objects: [{ name: 'Films' }],
  })
  expect(JSON.stringify(await readStream(db, `schedule-${id}`))).not.toContain('secret')
  const { webhook: sealed } = await db.selectFrom('schedules').select('webhook').executeTakeFirstOrThrow()
  expect(sealed).toMatch(/^v1\./)
})

test('others send an alert to themselves and to public webhooks only', async () => {
  expect(await refused(alert({ delivery: { addresses: ['ops@example.com'] } }), ana)).toMatchObject([
    { field: 'delivery.addresses' },
  ])
  expect(await refused(alert({ delivery: { webhook: 'http://127.0.0.1/hook' } }), ana)).toMatchObject([
    { field: 'delivery.webhook' },
  ])
  await create(alert({ delivery: { webhook: 'https://ntfy.sh/dataintell' } }), ana)
})

test('an administrator who loses the role no longer sends to other addresses', async () => {
  await newStorage('Films', 90)
  const leaving = await newUser(['ROLE_ADMIN'])
  await db.updateTable('users').set({ email: 'leaving@example.com' }).where('id', '=', leaving.id).execute()
  await create(alert({ delivery: { addresses: ['ops@example.com'] } }), leaving)
  await db.updateTable('users').set({ roles: [] }).where('id', '=', leaving.id).execute()
  await runDue(platform, new Date('2026-05-01T12:00:00Z'))
  expect(await deliveries()).toMatchObject([{ userId: leaving.id, address: null }])
})

test('an alert needs an object to watch and a recipient', async () => {
  expect(await refused(alert({}, { all: false }))).toEqual([
    { field: 'payload.resourceIds', message: 'You must select at least 1 resource' },
  ])
  expect(await refused(alert({ delivery: { email: false } }))).toEqual([
    { field: 'delivery.email', message: 'Select at least one recipient' },
  ])
  expect(await refused(alert({}, { growthBytes: 10 }))).toMatchObject([{ field: 'payload.growthDays' }])
  expect(await refused(alert({ jobClass: 'SCAN_OVERDUE_ALERT' }, { days: 0 }))).toMatchObject([
    { field: 'payload.days' },
  ])
})

test('a test goes to every recipient at once, with the result for each, and only for the owner', async () => {
  const receiver = await testReceiver()
  const id = await create(alert({ delivery: { email: true, webhook: receiver.address } }))
  const { body } = await admin.ask('POST', `${path}/${id}/tests`).expect(200)
  expect(body).toEqual([
    { to: 'Your email address', error: 'No mail server is set up' },
    { to: 'Webhook', error: null },
  ])
  expect(receiver.posted).toHaveLength(1)
  await ana.ask('POST', `${path}/${id}/tests`).expect(404)
})
