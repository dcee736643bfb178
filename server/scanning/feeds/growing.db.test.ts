import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { startSession } from '#server/content/snapshots/index.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testUser } from '#server/testing.ts'
import { followedStorage } from './testing.ts'

const platform = await testPlatform()
const { db, clickhouse } = platform
const app = createApp(platform, routesOf(platform))
const as = async (id: number) => asUser(app, await openSession(db, id, '127.0.0.1'))
const admin = await as((await testUser(db, ['ROLE_ADMIN'])).id)
const files = [{ path: '', entries: [] }]
const [films, stills, silent] = [
  await followedStorage(platform, 'films', files),
  await followedStorage(platform, 'stills', files),
  await followedStorage(platform, 'silent', files),
]
const later = new Date(Date.now() + 600_000)
const isLive = { state: 'LIVE', seenAt: later } as const
await db.updateTable('agents').set({ lastActiveAt: later }).execute()
for (const volumeId of [films, stills, silent]) {
  await startSession(platform, volumeId)
  if (volumeId !== silent) await db.updateTable('liveVolumes').set(isLive).where('volumeId', '=', volumeId).execute()
}

type Change = { owner?: string; created?: number; deleted?: number; added?: number; removed?: number; ago?: number }
/** Ahead of the clock, so that a slow test changes nothing. */
const newest = Date.now() + 30_000
async function changed(volume: number, path: string, change: Change): Promise<void> {
  const { owner = 'ana', created = 0, deleted = 0, added = 0, removed = 0, ago = 0 } = change
  await clickhouse.command(sql`
    INSERT INTO live_changes SELECT ${volume}, fromUnixTimestamp64Milli(toInt64(${newest - ago}), 'UTC'), ${path}, ${owner},
      ${created}, ${deleted}, 0, 0, 0, ${added}, ${removed}`)
}
await changed(films, '/a/', { created: 5, added: 1_000 })
await changed(films, '/a/', { owner: 'bob', created: 1, deleted: 3, added: 4_000, removed: 2_000, ago: 5_000 })
await changed(films, '/a/b/', { created: 1, added: 500 })
await changed(films, '/a/b/', { created: 1, added: 90_000, ago: 120_000 })
await changed(films, '/gone/', { deleted: 9, added: 5, removed: 900 })
await changed(stills, '/', { created: 2, added: 2_000 })
await changed(silent, '/', { created: 2, added: 7_000_000 })

const growing = async (query: string, call = admin) =>
  (await call('GET', `/api/v1/live/growing?${query}`).expect(200)).body
const inFolderA = {
  volumeId: films,
  volumeName: 'films',
  path: '/a',
  owner: 'bob',
  bytesPerMinute: 3_000,
  filesPerMinute: 3,
}
const inFolderB = { ...inFolderA, path: '/a/b', owner: 'ana', bytesPerMinute: 500, filesPerMinute: 1 }
const inStills = {
  ...inFolderB,
  volumeId: stills,
  volumeName: 'stills',
  path: '/',
  bytesPerMinute: 2_000,
  filesPerMinute: 2,
}

test('lists the folders of live storages that grew in the last minutes, with the owner of most of the new bytes', async () => {
  expect(await growing('minutes=1')).toEqual({ folders: [inFolderA, inStills, inFolderB], asOf: newest })
  expect((await growing(`minutes=1&storageId=${stills}`)).folders).toEqual([inStills])
  expect((await growing('minutes=1&size=1')).folders).toEqual([inFolderA])
  const [largest] = (await growing('minutes=5')).folders
  expect(largest).toEqual({ ...inFolderB, bytesPerMinute: 90_500 / 5, filesPerMinute: 2 / 5 })
})

test('users with limits see what grows in their folders', async () => {
  const { id } = await testUser(db, [])
  const limits = (more: object) =>
    admin('PUT', `/api/v1/users/${id}/limits`, { everything: false, projects: [], storages: [], folders: [], ...more })
  const anna = await as(id)
  await limits({ folders: [{ storageId: films, path: '/a/b' }] }).expect(204)
  expect((await growing('minutes=1', anna)).folders).toEqual([inFolderB])
  await limits({ storages: [stills], folders: [{ storageId: films, path: '/a/bc' }] }).expect(204)
  expect((await growing('minutes=1', anna)).folders).toEqual([inStills])
  await limits({}).expect(204)
  expect(await growing('minutes=1', anna)).toEqual({ folders: [], asOf: null })
})

test('nothing grows without live storages', async () => {
  await db
    .updateTable('liveVolumes')
    .set({ seenAt: new Date(0) })
    .execute()
  expect(await growing('minutes=1')).toEqual({ folders: [], asOf: null })
})
