import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Role, roles } from '#events/contract/needs.ts'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testSession } from '#server/testing.ts'
import { projectRoutes } from './index.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, projectRoutes(platform))
const user = async (...held: Role[]) => asUser(app, await testSession(db, held))

const draft = { name: 'Rushes', description: '', allocatedSize: 1000, paths: [] }
const id = (await (await user('ROLE_ADMIN'))('POST', '/api/projects', draft)).body.id as number
/** No folder was moved, so permitted answers are a conflict. */
const moved = { volumeId: 1, path: '/p1', movedTo: '/p1-final' }
const addresses = ['ana@example.com']
/** The calls that change projects or return recipients, with valid input; the last one deletes the project. */
const changing = [
  ['POST', '/projects', { ...draft, name: 'Other' }],
  ['PUT', '/projects', { ...draft, id, allocatedSize: 2 }],
  ['PUT', `/v1/projects/${id}/moves/follow`, { folders: [moved] }],
  ['PUT', `/v1/projects/${id}/moves/reject`, { folders: [moved] }],
  ['GET', `/v1/projects/${id}/statement-recipients`, undefined],
  ['PUT', `/v1/projects/${id}/statement-recipients`, { addresses }],
  ['GET', `/v1/projects/${id}/members`, undefined],
  ['PUT', `/v1/projects/${id}/members`, { managers: [], readers: [] }],
  ['DELETE', `/projects/${id}`, undefined],
] as const
const askAll = async (held: Role[]) => {
  const ask = await user(...held)
  const statuses: number[] = []
  for (const [method, path, body] of changing) statuses.push((await ask(method, `/api${path}`, body)).status)
  return statuses
}
const kept = () => db.selectFrom('projects').selectAll().execute()

test('these are all calls of projects that not everybody may make', () => {
  const guarded = projectRoutes(platform).flatMap(({ endpoint }) =>
    endpoint.needs === 'snapshots.see' ? [] : [`${endpoint.method} ${endpoint.path.replace(':id', String(id))}`],
  )
  expect(guarded.toSorted()).toEqual(changing.map(([method, path]) => `${method} ${path}`).toSorted())
})

test('only project managers and administrators change a project, with any other roles', async () => {
  const before = await kept()
  const others = roles.filter((role) => role !== 'ROLE_ADMIN' && role !== 'ROLE_PROJECT_MANAGER')
  expect(others.length).toBeGreaterThan(3)
  for (const held of [[], ...others.map((role) => [role]), others])
    expect([held, await askAll(held)]).toEqual([held, changing.map(() => 403)])
  expect(await kept()).toEqual(before)
})

test.for(['ROLE_PROJECT_MANAGER', 'ROLE_ADMIN'] as const)('%s does', async (role) => {
  await sql`TRUNCATE projects RESTART IDENTITY CASCADE`.execute(db)
  await db.insertInto('projects').values({ name: 'Rushes', description: '', allocatedSize: 1000 }).execute()
  expect(await askAll([role])).toEqual([200, 200, 409, 409, 200, 204, 200, 204, 204])
  expect(await kept()).toMatchObject([{ name: 'Other' }])
})
