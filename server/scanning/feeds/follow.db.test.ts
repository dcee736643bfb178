import { afterAll, expect, test } from 'vitest'
import type { LiveState } from '#events/feeds/liveState.ts'
import type { FileStorage } from '#events/sources/fileStorages.ts'
import { subjects } from '#events/subjects.ts'
import { createApp } from '#server/app.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testUser } from '#server/testing.ts'
import { startFeeds } from './index.ts'
import { agentOf, followedStorage, live, run, scanAgain, walkedFrom } from './testing.ts'

const platform = await testPlatform()
const { db, nats } = platform
const told: string[] = []
nats.connection.subscribe(subjects.live, { callback: (_, message) => void told.push(message.string()) })
const nudged: string[] = []
nats.connection.subscribe('ask.*.refollow', { callback: (_, message) => void nudged.push(message.subject) })
let feeds = startFeeds(platform)
afterAll(() => feeds.stop())

const app = createApp(platform, routesOf(platform))
const as = async (id: number) => asUser(app, await openSession(db, id, '127.0.0.1'))
const admin = await as((await testUser(db, ['ROLE_ADMIN'])).id)
const files = [{ path: '', entries: [{ path: '/a' }] }]
const films = await followedStorage(platform, 'films', files)
const agent = agentOf(platform)
const orderOf = async (volumeId: number) => (await agent.follow()).find((order) => order.volumeId === volumeId)

type Call = typeof admin
async function stateOf(volumeId: number, call: Call = admin): Promise<LiveState> {
  const { body } = await call('GET', '/api/v1/storages').expect(200)
  return body.elements.find(({ id }: { id: number }) => id === volumeId)?.live
}
/** Changes the settings of a storage as its form does. */
async function change(id: number, settings: Partial<FileStorage>): Promise<void> {
  const { body } = await admin('GET', '/api/volumeSettings?size=1000').expect(200)
  const known = body.elements.find((one: { id: number }) => one.id === id)
  await admin('PUT', `/api/volumeSettings/${id}`, { ...known, ...settings }).expect(204)
}
const unavailable = (reason: string) => ({ state: 'UNAVAILABLE', reason, since: null, behindMs: null, missed: null })
const off = { state: 'OFF', reason: null, since: null, behindMs: null, missed: null }

test('an agent follows its own storages that were scanned, by the settings of their scans', async () => {
  await db.insertInto('agents').values({ id: 2, name: 'other', run }).execute()
  const unscanned = await createFileStorage(db, { name: 'unscanned', path: '/unscanned', followsChanges: true })
  const others = await followedStorage(platform, 'others', files)
  for (const table of ['volumes', 'scans'] as const)
    await db
      .updateTable(table)
      .set({ agentId: 2 })
      .where(table === 'volumes' ? 'id' : 'volumeId', '=', others)
      .execute()
  const deleted = await followedStorage(platform, 'deleted', files)
  await db.updateTable('volumes').set({ deletedAt: new Date() }).where('id', '=', deleted).execute()
  await change(films, { volumeIgnoreRules: [{ path: '/tmp' }], includesMountedFileSystems: true })
  expect(await agent.follow()).toEqual([
    {
      volumeId: films,
      source: { kind: 'fileStorage', path: '/films' },
      ignoredPaths: ['/tmp'],
      indexFolderOnlyPaths: [],
      crossFileSystems: true,
      session: expect.any(String),
      baseStartedAt: walkedFrom,
    },
  ])
  expect(await agentOf(platform, 2).follow()).toMatchObject([{ volumeId: others }])
  expect(await agent.follow([], 'another run')).toEqual([])
  expect(await stateOf(unscanned)).toEqual(unavailable('Scan the storage to follow its changes.'))
})

test('a storage is live once its agent says so, and no longer when that is silent', async () => {
  const own = await createFileStorage(db, { name: 'plain', path: '/plain' })
  expect(await stateOf(own)).toEqual(off)
  await change(films, { volumeIgnoreRules: [] })
  expect(await stateOf(films)).toEqual(unavailable('The agent is starting to follow this storage.'))
  // Its report on the session before doesn't count.
  await agent.follow([live(films)])
  expect(await stateOf(films)).toEqual(unavailable('The agent is starting to follow this storage.'))
  told.length = 0
  await agent.follow([live(films, { behindMs: 300 })])
  expect(await stateOf(films)).toEqual({ state: 'LIVE', reason: null, since: walkedFrom, behindMs: 300, missed: null })
  await expect.poll(() => told).toContain('{"type":"changed","topics":["live"]}')
  await agent.follow([live(films, { state: 'UNAVAILABLE', reason: 'No rights' })])
  expect(await stateOf(films)).toEqual(unavailable('No rights'))
  await agent.follow([live(films)])
  const { session } = (await orderOf(films)) ?? {}
  await feeds.stop()
  feeds = startFeeds(platform)
  expect(await stateOf(films)).toMatchObject({ state: 'LIVE' })
  expect(await orderOf(films)).toMatchObject({ session })
  const longAgo = new Date(Date.now() - 21_000)
  await db.updateTable('liveVolumes').set({ seenAt: longAgo }).where('volumeId', '=', films).execute()
  expect(await stateOf(films)).toEqual(unavailable("The agent of this storage doesn't answer."))
  await agent.follow([live(films)])
  await db.updateTable('agents').set({ lastActiveAt: longAgo }).where('id', '=', 1).execute()
  expect(await stateOf(films)).toEqual(unavailable("The agent of this storage doesn't answer."))
  await db.updateTable('agents').set({ lastActiveAt: new Date() }).where('id', '=', 1).execute()
})

test('another session begins after a scan and after a change of settings, and the agent requests it', async () => {
  const before = await orderOf(films)
  expect(await orderOf(films)).toEqual(before)
  await agent.follow([live(films)])
  nudged.length = 0
  await scanAgain(platform, films, files)
  platform.live({ type: 'changed', topics: ['volumes'] })
  expect(await stateOf(films)).toEqual(unavailable('The agent is starting to follow this storage.'))
  const after = await orderOf(films)
  expect(after?.session).not.toBe(before?.session)
  await expect.poll(() => nudged).toContain('ask.1.refollow')
  nudged.length = 0
  await change(films, { volumeIndexFolderOnlyPaths: [{ path: '/b' }] })
  await expect.poll(() => nudged).toContain('ask.1.refollow')
  expect((await orderOf(films))?.session).not.toBe(after?.session)
})

test('changes are known since the last scan of the whole storage, in the same folder', async () => {
  const part = await scanAgain(platform, films, [{ path: '/a', entries: [] }], '/a')
  await db.updateTable('scans').set({ walkedFrom: '2026-02-02T00:00:00Z' }).where('id', '=', part).execute()
  expect(await orderOf(films)).toMatchObject({ baseStartedAt: walkedFrom })
  await change(films, { path: '/moved' })
  expect(await orderOf(films)).toBeUndefined()
  expect(await stateOf(films)).toEqual(unavailable('Scan the storage to follow its changes.'))
  await scanAgain(platform, films, files)
  expect(await orderOf(films)).toMatchObject({ source: { path: '/moved' } })
})

test('a storage that is no longer followed has no session, and the change is in the event log', async () => {
  const sessionsOf = () => db.selectFrom('liveVolumes').select('session').where('volumeId', '=', films).execute()
  expect(await sessionsOf()).toHaveLength(1)
  await change(films, { followsChanges: false })
  expect(await stateOf(films)).toEqual(off)
  await expect.poll(sessionsOf).toEqual([])
  expect(await orderOf(films)).toBeUndefined()
  const { body } = await admin('GET', `/api/v1/events?stream=volume-${films}&size=1`).expect(200)
  expect(JSON.stringify(body)).toContain('"followsChanges":false')
  await change(films, { followsChanges: true })
  expect(await orderOf(films)).toBeDefined()
})

test('reports on other storages, and malformed messages, change nothing', async () => {
  await agent.follow()
  await agentOf(platform, 2).follow([live(films)])
  expect(await stateOf(films)).toEqual(unavailable('The agent is starting to follow this storage.'))
  for (const garbage of ['', '[]', '{"run":5}', JSON.stringify({ run, statuses: [{ ...live(films), since: 'x' }] })])
    nats.connection.publish(subjects.follow(1), garbage, { reply: '_INBOX_agent-1.x' })
  await agent.follow([live(films, { behindMs: 1 }), live(999_999)])
  expect(await stateOf(films)).toMatchObject({ state: 'LIVE', behindMs: 1 })
})

test('users who see a part of a storage see whether it is live, and nothing about its other parts', async () => {
  const { id } = await testUser(db, [])
  const part = { projects: [], storages: [], folders: [{ storageId: films, path: '/a' }], everything: false }
  await admin('PUT', `/api/v1/users/${id}/limits`, part).expect(204)
  const anna = await as(id)
  const missed = JSON.stringify({ scanId: 1, entries: 7 })
  await db.updateTable('liveVolumes').set({ missed }).where('volumeId', '=', films).execute()
  await agent.follow([live(films)])
  expect(await stateOf(films)).toMatchObject({ state: 'LIVE', missed: { scanId: 1, entries: 7 } })
  expect(await stateOf(films, anna)).toMatchObject({ state: 'LIVE', missed: null })
  await agent.follow([live(films, { state: 'UNAVAILABLE', reason: 'No rights in /secret' })])
  expect(await stateOf(films, anna)).toEqual(unavailable("Changes of this storage can't be followed at the moment."))
})
