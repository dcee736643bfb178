import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { startServerWorker } from '#server/workers/tasks/index.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testUser } from '#server/testing.ts'
import { tagTasks } from './index.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, routesOf(platform))
const as = async (id: number) => asUser(app, await openSession(db, id, '127.0.0.1'))
const admin = await as((await testUser(db, ['ROLE_ADMIN'])).id)
const films = await newVolume(platform, 'Films')
const folder = (path: string) => ({ path, isDirectory: true })
await scanFolders(platform, { volumeId: films, indexingDate: '2026-01-01' }, [
  { path: '', entries: [folder('/aurora'), folder('/other')] },
  { path: '/aurora', entries: [{ path: '/aurora/a.mov' }, { path: '/aurora/b.mov' }] },
  { path: '/other', entries: [{ path: '/other/c.mov' }] },
])
const project = { name: 'Aurora', description: '', allocatedSize: 1, paths: [{ volumeId: films, path: '/aurora' }] }
const { id: aurora } = (await admin('POST', '/api/projects', project).expect(200)).body

const change = (...paths: string[]) => ({
  entries: paths.map((path) => ({ volumeId: films, path, isDirectory: !path.endsWith('.mov') })),
  add: ['mine'],
})
const tagged = () =>
  platform.clickhouse.rows<{ path: string; tag: string }>(
    sql`SELECT concat(parent_path, name) AS path, tag FROM entry_tags FINAL ORDER BY path, tag`,
  )

test('managers without the role tag in their projects alone: entries, one entry, and all results of a search', async () => {
  const [{ id }, reader] = [await testUser(db, []), await as((await testUser(db, [])).id)]
  const manager = await as(id)
  const refused = { message: "You don't have permission to do this", code: 'permission' }
  await manager('PUT', '/api/v1/files/tags', change('/aurora/a.mov')).expect(403, refused)
  await admin('PUT', `/api/v1/projects/${aurora}/members`, { managers: [id], readers: [] }).expect(204)
  expect((await manager('GET', '/api/currentUserInfo').expect(200)).body.isManager).toBe(true)
  await manager('PUT', '/api/v1/files/tags', change('/aurora', '/aurora/a.mov')).expect(200, { changed: 2 })
  await manager('PUT', '/api/v1/files/tags', change('/aurora/b.mov', '/other/c.mov')).expect(403, {
    message: 'You can only tag in projects that you manage, not /other/c.mov',
    code: 'permission',
  })
  const files = (await manager('GET', '/api/files/search?search=.mov').expect(200)).body.elements
  for (const { fileId, path } of files)
    await manager('PUT', `/api/files/${fileId}`, { customTag: ['one'] }).expect(path.startsWith('/other') ? 403 : 200)
  await reader('POST', '/api/v1/files/search/tags?everything=true&tagToApply=all').expect(403, refused)
  const jobs = startServerWorker(platform, 'TAG_ENTRIES', tagTasks(platform), 300)
  const { jobId } = (await manager('POST', '/api/v1/files/search/tags?everything=true&tagToApply=all').expect(200)).body
  await expect
    .poll(async () => (await db.selectFrom('jobs').select('status').where('id', '=', jobId).executeTakeFirst())?.status)
    .toBe('SUCCESS')
  await jobs.stop()
  const all = await tagged()
  expect(all.filter(({ path }) => path.startsWith('/other'))).toEqual([])
  expect(all.filter(({ tag }) => tag === 'all').map(({ path }) => path)).toEqual(['/aurora/a.mov', '/aurora/b.mov'])
  expect(all.filter(({ tag }) => tag === 'one').map(({ path }) => path)).toEqual(['/aurora/a.mov', '/aurora/b.mov'])
})

test('a limited manager does not learn of other files, which are missing', async () => {
  const { id } = await testUser(db, [])
  await admin('PUT', `/api/v1/users/${id}/limits`, { everything: false }).expect(204)
  await admin('PUT', `/api/v1/projects/${aurora}/members`, { managers: [id], readers: [] }).expect(204)
  const manager = await as(id)
  for (const path of ['/other/c.mov', '/nowhere.mov'])
    await manager('PUT', '/api/v1/files/tags', change(path)).expect(404)
  expect((await manager('PUT', '/api/v1/files/tags', change('/aurora/b.mov')).expect(200)).body).toEqual({ changed: 1 })
})
