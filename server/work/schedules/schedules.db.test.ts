import { beforeAll, expect, test } from 'vitest'
import type { LiveEvent } from '#events/live.ts'
import { createApp } from '#server/app.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testSession, testUser } from '#server/testing.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { scheduleRoutes } from './index.ts'

process.env['TZ'] = 'UTC'
const platform = await testPlatform()
const { db } = platform
const heard: LiveEvent[] = []
const words = { ...platform, live: (event: LiveEvent) => void heard.push(event) }
let now = new Date('2026-05-01T10:30:00Z')
const app = createApp(
  words,
  scheduleRoutes(words, () => now),
)
const newUser = async (roles: Parameters<typeof testUser>[1]) => {
  const { id } = await testUser(db, roles)
  return { id, ask: asUser(app, await openSession(db, id, '127.0.0.1')) }
}
const admin = await newUser(['ROLE_ADMIN'])
const ana = await newUser([])
const ben = await newUser(['ROLE_PROJECT_MANAGER'])

let films = 0
beforeAll(async () => {
  films = await createFileStorage(db, { name: 'Films', path: '/films' })
})

const path = '/api/v1/schedules'
const nightly = {
  name: 'Nightly',
  cron: '0 0 0 * * ?',
  jobGroup: 'SCANNER',
  jobClass: 'SCAN_ALL_VOLUMES',
  payload: { cloneIndex: true },
  paused: false,
}
const alertOf = (resourceIds: number[], more = {}) => ({
  name: 'Space',
  cron: '0 0 0 ? * MON',
  jobGroup: 'ALERT',
  jobClass: 'VOLUME_SPACE_ALERT',
  payload: { threshold: 80, resourceIds },
  ...more,
})
const refused = async (body: object, ask = admin.ask) => (await ask('POST', path, body).expect(400)).body.subErrors
const listed = async (query = '', ask = admin.ask) => (await ask('GET', `${path}${query}`).expect(200)).body
const due = async (id: number) =>
  (await db.selectFrom('schedules').select('nextDueAt').where('id', '=', id).executeTakeFirstOrThrow()).nextDueAt

test('a schedule is made, listed with its next times, changed and removed, and each change is recorded', async () => {
  const { id } = (await admin.ask('POST', path, nightly).expect(200)).body
  const nextRuns = ['2026-05-02', '2026-05-03', '2026-05-04'].map((day) => `${day}T00:00:00.000Z`)
  expect(await listed()).toEqual([{ id, ...nightly, nextRuns, lastRun: null }])
  const changed = { ...nightly, name: 'Weekly', cron: '0 0 0 ? * SUN', payload: { cloneIndex: false } }
  await admin.ask('PUT', `${path}/${id}`, changed).expect(204)
  expect(await listed()).toMatchObject([{ ...changed, nextRuns: { 0: '2026-05-03T00:00:00.000Z' } }])
  await admin.ask('DELETE', `${path}/${id}`).expect(204)
  expect(await listed()).toEqual([])
  await admin.ask('DELETE', `${path}/${id}`).expect(404)
  await admin.ask('PUT', `${path}/${id}`, changed).expect(404)
  expect((await readStream<object>(db, `schedule-${id}`)).map(({ event }) => event)).toMatchObject([
    { type: 'Created', after: nightly },
    { type: 'Changed', before: nightly, after: changed },
    { type: 'Removed', before: changed },
  ])
  expect(heard.filter(({ type }) => type === 'changed')).toHaveLength(3)
  expect(heard[0]).toEqual({ type: 'changed', topics: ['schedules'] })
})

test('a paused schedule is never due, and a resumed one waits for its next time', async () => {
  const { id } = (await admin.ask('POST', path, { ...nightly, paused: true }).expect(200)).body
  expect([await due(id), (await listed())[0].nextRuns]).toEqual([null, []])
  now = new Date('2026-05-03T10:00:00Z')
  await admin.ask('PUT', `${path}/${id}`, nightly).expect(204)
  expect(await due(id)).toEqual(new Date('2026-05-04T00:00:00Z'))
  now = new Date('2026-05-04T00:00:01Z')
  await admin.ask('PUT', `${path}/${id}`, { ...nightly, name: 'Renamed while it was due' }).expect(204)
  expect(await due(id)).toEqual(new Date('2026-05-04T00:00:00Z'))
  await admin.ask('PUT', `${path}/${id}`, { ...nightly, cron: '0 0 12 * * ?' }).expect(204)
  expect(await due(id)).toEqual(new Date('2026-05-04T12:00:00Z'))
  await admin.ask('DELETE', `${path}/${id}`).expect(204)
})

test('five fields and macros of crontab are stored in the Quartz form that the form makes of them', async () => {
  for (const [cron, quartz] of [
    ['0 2 * * 1-5', '0 0 2 ? * MON-FRI'],
    [' @weekly ', '0 0 0 ? * SUN'],
  ] as const) {
    const { id } = (await admin.ask('POST', path, { ...nightly, cron }).expect(200)).body
    expect(await listed()).toMatchObject([{ id, cron: quartz }])
    await admin.ask('PUT', `${path}/${id}`, { ...nightly, cron }).expect(204)
    expect(await listed()).toMatchObject([{ id, cron: quartz }])
    const times = (text: string) => admin.ask('GET', `${path}/preview?cron=${encodeURIComponent(text)}`).expect(200)
    expect((await times(cron)).body).toEqual((await times(quartz)).body)
    await admin.ask('DELETE', `${path}/${id}`).expect(204)
  }
  expect(await refused({ ...nightly, cron: '* 25 * * *' })).toMatchObject([{ field: 'cron' }])
})

test('wrong values are refused with their field', async () => {
  const wrong = async (change: object, ...fields: string[]) =>
    expect((await refused({ ...nightly, ...change })).map(({ field }: { field: string }) => field)).toEqual(fields)
  await wrong({ name: ' ', cron: '0 0 0 * * *' }, 'name', 'cron')
  await wrong({ cron: '0 0 0 1 1 ? 2020' }, 'cron')
  await wrong({ jobClass: 'SCAN_MOON' }, 'jobClass')
  await wrong({ jobGroup: 'ALERT' }, 'jobGroup')
  await wrong({ jobClass: 'SCAN_SERVER', payload: { serverId: 0 } }, 'payload.serverId')
  await wrong({ jobClass: 'SCAN_SERVER', payload: { serverId: 77 } }, 'payload.serverId')
  await wrong({ jobClass: 'SCAN_VOLUMES', payload: { volumes: [] } }, 'payload.volumes')
  await wrong({ jobClass: 'SCAN_VOLUMES', payload: { volumes: [films, 77] } }, 'payload.volumes')
  const storages = { jobClass: 'SCAN_STORAGES' }
  await wrong({ ...storages, payload: { storageIdToPath: {} } }, 'payload.storageIdToPath')
  await wrong({ ...storages, payload: { storageIdToPath: { 77: '/a' } } }, 'payload.storageIdToPath')
  await wrong({ ...storages, payload: { storageIdToPath: { [films]: '/../etc' } } }, `payload.storageIdToPath.${films}`)
  expect(await refused(alertOf([]))).toEqual([
    { field: 'payload.resourceIds', message: 'You must select at least 1 resource' },
  ])
  expect(await refused(alertOf([films], { payload: { threshold: 100.5, resourceIds: [films] } }))).toEqual([
    { field: 'payload.threshold', message: 'Threshold must be between 0 and 100' },
  ])
  expect(await refused(alertOf([films, 77]))).toMatchObject([{ field: 'payload.resourceIds' }])
  expect(await refused(alertOf([1], { jobClass: 'PROJECT_SPACE_ALERT' }))).toEqual([
    { field: 'payload.resourceIds', message: 'must be projects that exist; 1 is none' },
  ])
  expect(await listed()).toEqual([])
})

test('the class of a schedule stays what it is', async () => {
  const { id } = (await admin.ask('POST', path, nightly).expect(200)).body
  const other = { ...nightly, jobClass: 'SCAN_ALL_STORAGES', payload: {} }
  const { body } = await admin.ask('PUT', `${path}/${id}`, other).expect(400)
  expect(body.subErrors).toEqual([{ field: 'jobClass', message: 'cannot be changed' }])
  await admin.ask('DELETE', `${path}/${id}`).expect(204)
})

test('the schedule of scans is for users who may change settings', async () => {
  const { id } = (await admin.ask('POST', path, nightly).expect(200)).body
  for (const { ask } of [ana, ben]) {
    await ask('GET', path).expect(403)
    await ask('POST', path, nightly).expect(403)
    await ask('PUT', `${path}/${id}`, nightly).expect(403)
    const { body } = await ask('DELETE', `${path}/${id}`).expect(403)
    expect(body).toEqual({ message: "You don't have permission to do this", code: 'permission' })
  }
  await admin.ask('DELETE', `${path}/${id}`).expect(204)
})

test('an alert belongs to its user, with any user in the payload, and no one else changes it', async () => {
  const forged = alertOf([films], { payload: { threshold: 0, resourceIds: [films], userId: ben.id } })
  const { id } = (await ana.ask('POST', path, forged).expect(200)).body
  const group = '?jobGroup=ALERT'
  expect(await listed(group, ana.ask)).toMatchObject([{ id, payload: { userId: ana.id, threshold: 0 } }])
  expect(await listed(group, ben.ask)).toEqual([])
  expect(await listed(group)).toEqual([])
  expect(await listed(`${group}&userId=${ana.id}`)).toMatchObject([{ id }])
  await ben.ask('GET', `${path}${group}&userId=${ana.id}`).expect(403)
  for (const { ask } of [ben, admin]) {
    await ask('PUT', `${path}/${id}`, forged).expect(404)
    await ask('DELETE', `${path}/${id}`).expect(404)
  }
  await ana.ask('PUT', `${path}/${id}`, { ...forged, name: 'Mine' }).expect(204)
  expect(await listed(group, ana.ask)).toMatchObject([{ name: 'Mine', payload: { userId: ana.id } }])
  await ana.ask('DELETE', `${path}/${id}`).expect(204)
})

test('the next times of an expression are shown before it is saved', async () => {
  const ask = asUser(app, await testSession(db, []))
  const { body } = await ask('GET', `${path}/preview?cron=${encodeURIComponent('0 0 */4 * * ?')}`).expect(200)
  expect(body.times).toHaveLength(5)
  expect(body).toMatchObject({ times: { 0: '2026-05-04T04:00:00.000Z' }, timeZone: expect.any(String) })
  for (const cron of ['0 0 0 1 1 ? 2020', 'nonsense', '']) {
    const { body } = await ask('GET', `${path}/preview?cron=${encodeURIComponent(cron)}`).expect(400)
    expect(body.subErrors).toMatchObject([{ field: 'cron' }])
  }
})

const tooOften = [
  { field: 'cron', message: 'may run at most once a minute: the seconds must be a single number, such as 0' },
]

test('no schedule of scans and no alert may run more than once a minute', async () => {
  for (const cron of ['* * * * * ?', '0,30 0 3 * * ?', '*/20 * * * * ?']) {
    expect(await refused({ ...nightly, cron })).toEqual(tooOften)
    expect(await refused(alertOf([films], { cron }), ana.ask)).toEqual(tooOften)
    const { body } = await admin.ask('GET', `${path}/preview?cron=${encodeURIComponent(cron)}`).expect(400)
    expect(body.subErrors).toEqual(tooOften)
  }
  const { id } = (await admin.ask('POST', path, { ...nightly, cron: '15 * * * * ?' }).expect(200)).body
  await admin.ask('DELETE', `${path}/${id}`).expect(204)
})

test('a schedule of an earlier version that runs more often can be paused and renamed, and runs once a minute', async () => {
  const { id } = (await admin.ask('POST', path, nightly).expect(200)).body
  const cron = '*/10 * * * * ?'
  await db.updateTable('schedules').set({ cron }).where('id', '=', id).execute()
  await admin.ask('PUT', `${path}/${id}`, { ...nightly, cron, paused: true, name: 'Often' }).expect(204)
  await admin.ask('PUT', `${path}/${id}`, { ...nightly, cron }).expect(204)
  const [{ nextRuns }] = await listed()
  const times = nextRuns.map((time: string) => Date.parse(time))
  expect([times[1] - times[0], times[2] - times[1]]).toEqual([60_000, 60_000])
  const { body } = await admin.ask('PUT', `${path}/${id}`, { ...nightly, cron: '*/5 * * * * ?' }).expect(400)
  expect(body.subErrors).toEqual(tooOften)
  await admin.ask('DELETE', `${path}/${id}`).expect(204)
})
