import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type Incident, type IncidentEvent, incidentAfter } from '#events/schedules/incidents.ts'
import { createApp } from '#server/app.ts'
import { testReceiver } from '#server/messages/notifications/testing.ts'
import { notificationRoutes } from '#server/messages/notifications/index.ts'
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
let clock = new Date('2026-05-01T10:30:00Z')
const app = createApp(platform, [...scheduleRoutes(platform, () => clock), ...notificationRoutes(platform)])
const newUser = async (roles: Parameters<typeof testUser>[1]) => {
  const { id } = await testUser(db, roles)
  await db.updateTable('users').set({ email: 'a@example.com', confirmedEmail: 'a@example.com' }).execute()
  return { id, ask: asUser(app, await openSession(db, id, '127.0.0.1')) }
}
const admin = await newUser(['ROLE_ADMIN'])
const ana = await newUser([])
let tasks = 0

beforeEach(async () => {
  clock = new Date('2026-05-01T10:30:00Z')
  await sql`TRUNCATE volumes, scans, deliveries, events, schedules, channels RESTART IDENTITY CASCADE`.execute(db)
})

/** A storage that is used by this percentage; null if its capacity is unknown. */
async function newStorage(name: string, used: number | null): Promise<number> {
  const volumeId = await createFileStorage(db, { name, path: `/${name}` })
  await setUse(volumeId, used)
  return volumeId
}
async function setUse(volumeId: number, used: number | null): Promise<void> {
  const sizes = used === null ? {} : { capacityTotal: 1_000, capacityUsed: used * 10, capacityFree: 1_000 - used * 10 }
  const scan = { volumeId, jobId: 1, taskId: ++tasks, agentId: 1, state: 'done' as const, indexingDate: '2026-05-01' }
  const row = db.insertInto('scans').values({ ...scan, ...sizes })
  const { id } = await row.returning('id').executeTakeFirstOrThrow()
  await db.updateTable('volumes').set({ committedScan: id }).where('id', '=', volumeId).execute()
}
const alert = (more: object = {}) => ({
  name: 'Space',
  cron: '0 0 12 * * ?',
  jobGroup: 'ALERT',
  jobClass: 'VOLUME_SPACE_ALERT',
  payload: { threshold: 85, resourceIds: [], all: true, repeatHours: 0 },
  ...more,
})
const create = async (path: string, body: object, { ask } = admin): Promise<number> =>
  (await ask('POST', `/api/v1/${path}`, body).expect(200)).body.id
const firing = async ({ ask } = admin): Promise<Incident[]> =>
  (await ask('GET', '/api/v1/alerts/firing').expect(200)).body
const after = async (time: string) => {
  clock = new Date(`2026-05-01T${time}Z`)
  await alertAfterScans(platform, clock)
}
const due = async (day: string) => {
  clock = new Date(`2026-05-${day}T12:00:00Z`)
  await runDue(platform, clock)
}
const mute = (id: number | undefined, time: string, { ask } = admin) =>
  ask('PUT', `/api/v1/incidents/${id}/mute`, { time })
const sent = async () => (await db.selectFrom('deliveries').select('subject').orderBy('id').execute()).length
const lastRun = async () => (await admin.ask('GET', '/api/v1/schedules?jobGroup=ALERT').expect(200)).body[0].lastRun

test('an alert fires since the evaluation that found it, however often it is evaluated later', async () => {
  const films = await newStorage('Films', 93.6)
  await create('schedules', alert())
  for (const time of ['10:44:00', '10:54:00']) await after(time)
  await setUse(films, 94)
  await after('11:10:00')
  expect(await firing()).toEqual([
    {
      id: 1,
      alertId: 1,
      watchedId: films,
      text: 'Films is at 94 %',
      startedAt: '2026-05-01T10:44:00.000Z',
      endedAt: null,
      mute: null,
    },
  ])
  await setUse(films, 50)
  await after('12:20:00')
  expect(await firing()).toEqual([])
  const { body } = await admin.ask('GET', '/api/v1/alerts/1/incidents').expect(200)
  expect(body).toMatchObject([{ startedAt: '2026-05-01T10:44:00.000Z', endedAt: '2026-05-01T12:20:00.000Z' }])
})

test('an object that could not be evaluated keeps its start', async () => {
  const films = await newStorage('Films', 93)
  await create('schedules', alert())
  await after('10:44:00')
  await setUse(films, null)
  await after('10:54:00')
  await setUse(films, 95)
  await after('11:10:00')
  expect(await firing()).toMatchObject([{ text: 'Films is at 95 %', startedAt: '2026-05-01T10:44:00.000Z' }])
})

test('a muted alert sends nothing and says so, and sends again once the mute is over', async () => {
  await newStorage('Films', 93)
  await create('schedules', alert())
  await after('10:44:00')
  expect(await sent()).toBe(1)
  await mute((await firing())[0]?.id, 'DAY').expect(204)
  expect(await firing()).toMatchObject([{ mute: { until: '2026-05-02T10:44:00.000Z' } }])
  await due('01')
  expect([await sent(), (await lastRun()).reason]).toEqual([1, 'Muted: Films is at 93 %'])
  await due('02')
  expect([await sent(), await firing()]).toMatchObject([2, [{ mute: null }]])
})

test('a mute of one storage leaves the others of the alert', async () => {
  await newStorage('Films', 93)
  await create('schedules', alert())
  await after('10:44:00')
  await mute((await firing())[0]?.id, 'FIXED').expect(204)
  await newStorage('Music', 90)
  await after('10:54:00')
  await due('01')
  const subjects = await db.selectFrom('deliveries').select('subject').orderBy('id').execute()
  expect(subjects.map(({ subject }) => subject)).toEqual([
    'Space: Films has reached 85 %',
    'Space: Music has reached 85 %',
    'Space: Music has reached 85 %',
  ])
})

test('a mute until fixed ends when the alert stops firing', async () => {
  const films = await newStorage('Films', 93)
  await create('schedules', alert())
  await after('10:44:00')
  await mute((await firing())[0]?.id, 'FIXED').expect(204)
  expect(await firing()).toMatchObject([{ mute: { until: null } }])
  await setUse(films, 10)
  await after('10:54:00')
  await setUse(films, 93)
  await after('11:10:00')
  expect([await sent(), await firing()]).toMatchObject([2, [{ mute: null, startedAt: '2026-05-01T11:10:00.000Z' }]])
})

test('an alert that starts again after a muted one is sent at once, in spite of the minimum interval', async () => {
  const films = await newStorage('Films', 93)
  await create('schedules', alert({ payload: { threshold: 85, resourceIds: [], all: true } }))
  await after('10:44:00')
  await mute((await firing())[0]?.id, 'DAY').expect(204)
  await setUse(films, 10)
  await after('10:54:00')
  await setUse(films, 93)
  await after('11:10:00')
  expect(await sent()).toBe(2)
  await setUse(films, 10)
  await after('11:20:00')
  await setUse(films, 93)
  await after('11:30:00')
  expect(await sent()).toBe(2)
})

test('only the owner of an alert mutes it, and only while it fires', async () => {
  const films = await newStorage('Films', 93)
  await create('schedules', alert())
  await after('10:44:00')
  const [{ id } = { id: 0 }] = await firing()
  expect(await firing(ana)).toEqual([])
  await mute(id, 'HOUR', ana).expect(404)
  await mute(id, 'HOUR').expect(204)
  await admin.ask('DELETE', `/api/v1/incidents/${id}/mute`).expect(204)
  expect(await firing()).toMatchObject([{ mute: null }])
  await setUse(films, 10)
  await after('10:54:00')
  await mute(id, 'HOUR').expect(404)
})

test('pausing an alert and changing what it watches end its incidents', async () => {
  await newStorage('Films', 93)
  const id = await create('schedules', alert())
  await after('10:44:00')
  await admin.ask('PUT', `/api/v1/schedules/${id}`, alert({ paused: true })).expect(204)
  expect(await firing()).toEqual([])
})

test('of several servers each start and end is recorded once, and the log gives the stored states', async () => {
  const films = await newStorage('Films', 93)
  await create('schedules', alert())
  const evaluate = (time: string) => Promise.all([after(time), after(time), after(time)])
  await evaluate('10:44:00')
  await mute((await firing())[0]?.id, 'FIXED').expect(204)
  await setUse(films, 10)
  await evaluate('10:54:00')
  const events = (await readStream(db, 'schedule-1')).map(({ event }) => event as unknown as IncidentEvent)
  const ofIncidents = events.filter(({ type }) => type.startsWith('Alert'))
  expect(ofIncidents.map(({ type }) => type)).toEqual(['AlertFiring', 'AlertMuted', 'AlertCleared'])
  const folded = ofIncidents.reduce<ReturnType<typeof incidentAfter> | undefined>(incidentAfter, undefined)
  const { body } = await admin.ask('GET', '/api/v1/alerts/1/incidents').expect(200)
  expect(body).toMatchObject([folded])
})

test('a channel is set up once and receives alerts; its address stays on the server', async () => {
  const receiver = await testReceiver()
  await newStorage('Films', 93)
  const hook = { name: 'Storage team', kind: 'JSON', webhook: `${receiver.address}/secret` }
  const id = await create('channels', { ...hook, isTested: true })
  const mails = await create('channels', { name: 'Night shift', kind: 'EMAIL', addresses: ['ops@example.com'] })
  const { body } = await admin.ask('GET', '/api/v1/channels').expect(200)
  expect(body.elements).toMatchObject([
    { name: 'Night shift', addresses: ['ops@example.com'], testedAt: null },
    { name: 'Storage team', webhook: expect.stringContaining('••'), testedAt: expect.any(String) },
  ])
  expect(JSON.stringify([body, await readStream(db, `channel-${id}`)])).not.toContain('secret')
  const hidden = body.elements[1].webhook
  await admin.ask('PUT', `/api/v1/channels/${id}`, { ...hook, name: 'Team', webhook: hidden }).expect(204)
  const tested = await admin.ask('POST', '/api/v1/channels/tests', { ...hook, webhook: hidden, id }).expect(200)
  expect([tested.body, receiver.posted]).toMatchObject([[{ to: 'Storage team', error: null }], [{}]])
  await create('schedules', alert({ delivery: { email: false, channelIds: [id, mails] } }))
  await after('10:44:00')
  const rows = db
    .selectFrom('deliveries')
    .select(['channel', 'address', 'channelId'])
    .where('key', 'not like', 'test-%')
  expect(await rows.orderBy('channel').execute()).toEqual([
    { channel: 'email', address: 'ops@example.com', channelId: mails },
    { channel: 'webhook', address: null, channelId: id },
  ])
})

test('an alert of an earlier version, without channels, is sent, tested and listed', async () => {
  await newStorage('Films', 93)
  const id = await create('schedules', alert({ delivery: { email: true } }))
  await sql`UPDATE schedules SET delivery = delivery - 'channelIds'`.execute(db)
  const { body } = await admin.ask('POST', `/api/v1/schedules/${id}/tests`).expect(200)
  expect(body).toMatchObject([{ to: 'Your email address' }])
  const listed = await admin.ask('GET', '/api/v1/schedules?jobGroup=ALERT').expect(200)
  expect(listed.body).toMatchObject([{ delivery: { channelIds: [] } }])
  await after('10:44:00')
  expect(await sent()).toBe(1)
})

test('channels are private, and only administrators send to other addresses and into the network', async () => {
  const id = await create('channels', { name: 'Team', kind: 'EMAIL', addresses: ['ops@example.com'] })
  const others = alert({ delivery: { channelIds: [id] } })
  const refused = async (path: string, body: object) =>
    (await ana.ask('POST', `/api/v1/${path}`, body).expect(400)).body.subErrors[0].field
  expect(await refused('schedules', others)).toBe('delivery.channelIds')
  expect(await refused('notifications', { channelIds: [id] })).toBe('channelIds')
  expect(await refused('channels', { name: 'A', kind: 'EMAIL', addresses: ['b@example.com'] })).toBe('addresses')
  expect(await refused('channels', { name: 'A', kind: 'JSON', webhook: 'http://127.0.0.1/hook' })).toBe('webhook')
  await ana.ask('DELETE', `/api/v1/channels/${id}`).expect(404)
})
