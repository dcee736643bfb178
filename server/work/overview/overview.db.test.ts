import { beforeEach, expect, test } from 'vitest'
import { hasFailed } from '#events/overview/storageStates.ts'
import { ScheduleDraft } from '#events/schedules/calls.ts'
import { change } from '#server/platform/log/change.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { testClickHouse, testDb } from '#server/platform/testing/stores.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { testUser } from '#server/testing.ts'
import { readOverview } from './readOverview.ts'
import { readStates } from './readStates.ts'
import { hideSetupFor, readSetup } from './setup.ts'

const db = await testDb()
const platform = { db, clickhouse: await testClickHouse(), live: () => {} }
const admin = {
  ...(await testUser(db, ['ROLE_ADMIN'])),
  roles: ['ROLE_ADMIN' as const],
  address: '127.0.0.1',
  userAgent: null,
  mustFirst: null,
  isConfirmed: true,
  tokenId: null,
  scope: 'everything' as const,
  viewedBy: null,
  signal: new AbortController().signal,
}
let [films, music, task] = [0, 0, 0]

beforeEach(async () => {
  await db.deleteFrom('schedules').execute()
  await db.deleteFrom('snapshots').execute()
  await db.deleteFrom('scans').execute()
  await db.deleteFrom('volumes').execute()
  films = await createFileStorage(db, { name: 'Films', path: '/films' })
  music = await createFileStorage(db, { name: 'Music', path: '/music' })
})

const scanned = (volumeId: number, state: 'running' | 'done' | 'failed' | 'cancelled', reason: string | null = null) =>
  db
    .insertInto('scans')
    .values({ volumeId, indexingDate: '2026-03-01', state, reason, jobId: 7, taskId: ++task, agentId: 1 })
    .execute()
async function scheduled(jobGroup: 'SCANNER' | 'ALERT', jobClass: string, payload: object, paused = false) {
  const draft = ScheduleDraft.parse({ name: jobClass, cron: '0 0 2 * * ?', jobGroup, jobClass, payload, paused })
  const userId = jobGroup === 'ALERT' ? admin.id : null
  const row = { ...draft, payload: JSON.stringify(draft.payload), userId }
  await db
    .insertInto('schedules')
    .values(row as never)
    .execute()
}
const states = async () => new Map((await readStates(db, 'everything')).map((state) => [state.volumeId, state]))
const covered = async () =>
  (await readStates(db, 'everything')).map(({ name, isScheduled, isWatched }) => [name, isScheduled, isWatched])

test('a storage whose first scan failed has the reason, until another scan runs', async () => {
  expect((await states()).get(films)).toMatchObject({ isScanned: false, lastScan: null, isScanning: false })
  await scanned(films, 'failed', 'No such host: nas')
  const failed = (await states()).get(films)
  expect(failed).toMatchObject({
    isScanned: false,
    lastScan: { jobId: 7, state: 'failed', reason: 'No such host: nas' },
  })
  expect(failed && hasFailed(failed)).toBe(true)
  await scanned(films, 'running')
  const running = (await states()).get(films)
  expect(running).toMatchObject({ isScanning: true, lastScan: { state: 'failed' } })
  expect(running && hasFailed(running)).toBe(false)
  expect((await states()).get(music)?.lastScan).toBeNull()
})

test('the overview has the figures of a date, and keeps the day of the last good scan', async () => {
  const committed = async (day: string, used: number) => {
    const scan = {
      volumeId: films,
      state: 'done' as const,
      jobId: 7,
      taskId: ++task,
      agentId: 1,
      bytes: 5,
      allocatedBytes: 5,
    }
    const { id } = await db
      .insertInto('scans')
      .values({ ...scan, indexingDate: day, capacityTotal: 100, capacityUsed: used })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const shown = (indexingDate: string, scanId: number) =>
    db.insertInto('snapshots').values({ indexingDate, volumeId: films, scanId }).execute()
  await shown('2026-02-20', await committed('2026-02-20', 40))
  const last = await committed('2026-02-22', 60)
  await shown('2026-02-22', last)
  // The scan of March 1 failed, so the snapshot repeats the older one.
  await shown('2026-03-01', last)
  await scanned(films, 'failed', 'No such host: nas')
  const [one, other] = await readOverview(platform, 'everything', undefined)
  expect(one).toMatchObject({
    name: 'Films',
    account: null,
    lastScan: { reason: 'No such host: nas' },
    snapshot: { indexingDate: '2026-02-22', used: 60, total: 100, storagePrice: null },
  })
  expect(one?.snapshot?.points.map(({ used }) => used)).toEqual([40, 60])
  expect(other).toMatchObject({ name: 'Music', isScanned: false, snapshot: null })
  expect((await readOverview(platform, 'everything', '2026-02-21'))[0]?.snapshot).toMatchObject({
    indexingDate: '2026-02-20',
    used: 40,
  })
})

test('a canceled scan does not fail a check', async () => {
  await scanned(films, 'cancelled', 'Cancelled by ana')
  const state = (await states()).get(films)
  expect(state?.lastScan?.reason).toBe('Cancelled by ana')
  expect(state && hasFailed(state)).toBe(false)
})

test('a storage is scheduled by schedules of all storages, of its kind, of its agent, and of its own', async () => {
  const none = [
    ['Films', false, false],
    ['Music', false, false],
  ]
  expect(await covered()).toEqual(none)
  await scheduled('SCANNER', 'SCAN_VOLUMES', { volumes: [films] })
  expect(await covered()).toEqual([
    ['Films', true, false],
    ['Music', false, false],
  ])
  await db.deleteFrom('schedules').execute()
  await scheduled('SCANNER', 'SCAN_ALL_BUCKETS', {})
  await scheduled('SCANNER', 'SCAN_ALL_VOLUMES', {}, true)
  expect(await covered()).toEqual(none)
  for (const [jobClass, payload] of [
    ['SCAN_ALL_STORAGES', {}],
    ['SCAN_ALL_VOLUMES', {}],
    ['SCAN_SERVER', { serverId: 1 }],
    ['SCAN_STORAGES', { storageIdToPath: { [films]: '/a', [music]: '' } }],
  ] as const) {
    await db.deleteFrom('schedules').execute()
    await scheduled('SCANNER', jobClass, payload)
    expect(await covered()).toEqual([
      ['Films', true, false],
      ['Music', true, false],
    ])
  }
})

test('a storage is watched by alerts of all storages and its own, but not by alerts of projects', async () => {
  await scheduled('ALERT', 'PROJECT_SPACE_ALERT', { threshold: 80, resourceIds: [], all: true })
  await scheduled('ALERT', 'SCAN_FAILED_ALERT', { resourceIds: [music] })
  expect(await covered()).toEqual([
    ['Films', false, false],
    ['Music', false, true],
  ])
  await scheduled('ALERT', 'VOLUME_SPACE_ALERT', { threshold: 80, resourceIds: [], all: true })
  expect((await covered())[0]).toEqual(['Films', false, true])
})

test('the checklist follows what is set up, and each user hides it alone', async () => {
  expect(await readSetup(db, admin)).toEqual({ done: ['storage'], isHidden: false })
  await scheduled('SCANNER', 'SCAN_ALL_STORAGES', {})
  await scheduled('ALERT', 'SCAN_OVERDUE_ALERT', { resourceIds: [], all: true, days: 3 })
  await db.insertInto('configurations').values({ name: 'spring.mail.host', value: 'mail.studio' }).execute()
  const other = await testUser(db, ['ROLE_ADMIN'])
  const all = ['storage', 'schedule', 'mail', 'alert', 'user']
  expect(await readSetup(db, admin)).toEqual({ done: all, isHidden: false })
  const hide = (isHidden: boolean) => change(platform, admin, [], (change) => hideSetupFor(change, isHidden))
  await hide(true)
  await hide(true)
  expect(await readSetup(db, admin)).toEqual({ done: all, isHidden: true })
  expect(await readSetup(db, other)).toMatchObject({ isHidden: false })
  await hide(false)
  expect(await readSetup(db, admin)).toMatchObject({ isHidden: false })
  const events = (await readStream<{ type: string }>(db, `user-${admin.id}`)).map(({ event }) => event.type)
  expect(events).toEqual(['SetupHidden', 'SetupShown'])
  await db.updateTable('users').set({ disabledAt: new Date() }).where('id', '=', other.id).execute()
  expect((await readSetup(db, admin)).done).not.toContain('user')
})
