import { expect, test } from 'vitest'
import type { Limits } from '#events/users/limits.ts'
import { createApp } from '#server/app.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { addressesSeeing, scopeOf } from '#server/platform/callers/scope.ts'
import { readStream } from '#server/platform/log/eventLog.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { newVolume } from '#server/content/snapshots/oracle/scanDisk.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testUser } from '#server/testing.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, routesOf(platform))
const as = async (id: number) => asUser(app, await openSession(db, id, '127.0.0.1'))
const admin = await as((await testUser(db, ['ROLE_ADMIN'])).id)
const [films, music] = [await newVolume(platform, 'Films'), await newVolume(platform, 'Music')]
const project = { name: 'Aurora', description: '', allocatedSize: 1, paths: [{ volumeId: films, path: '/aurora' }] }
const { id: aurora } = (await admin('POST', '/api/projects', project).expect(200)).body
const none = { everything: false, projects: [], storages: [], folders: [] }
const ofAurora = { ...none, projects: [aurora] }
const limit = (id: number, limits: object) => admin('PUT', `/api/v1/users/${id}/limits`, limits)
const access = async (id: number, storageId: number, path: string) =>
  (await admin('GET', `/api/v1/users/${id}/access?storageId=${storageId}&path=${path}`).expect(200)).body
const always = { fromScan: 0, beforeScan: Number.MAX_SAFE_INTEGER }

test('a user sees everything until limited, then the folders of the projects as they are now, and administrators always do', async () => {
  const anna = await testUser(db, [])
  expect((await admin('GET', `/api/v1/users/${anna.id}/limits`).expect(200)).body).toEqual({
    ...none,
    everything: true,
  })
  expect(await access(anna.id, films, '/')).toEqual({
    allowed: true,
    because: [{ because: 'everything', group: null, name: null }],
    since: null,
  })
  const user = await as(anna.id)
  await user('GET', '/api/v1/alerts/firing').expect(200)
  await limit(anna.id, ofAurora).expect(204)
  await user('GET', '/api/v1/alerts/firing').expect(403, {
    message: 'This is not available to users who see only some projects and storages',
    code: 'limited',
  })
  expect(await scopeOf(db, anna.id)).toEqual({
    userId: anna.id,
    projects: [aurora],
    places: [{ volumeId: films, path: '/aurora', ...always }],
  })
  expect(await access(anna.id, films, '/aurora/cuts')).toEqual({
    allowed: true,
    because: [{ because: 'project', group: null, name: 'Aurora' }],
    since: expect.stringMatching(/Z$/),
  })
  for (const path of ['/', '/auroras', '/aurora cuts'])
    expect(await access(anna.id, films, path)).toMatchObject({ allowed: false, because: [] })
  const paths = [...project.paths, { volumeId: music, path: '/score' }]
  await admin('PUT', '/api/projects', { id: aurora, ...project, paths }).expect(200)
  expect((await scopeOf(db, anna.id)).places).toContainEqual({ volumeId: music, path: '/score', ...always })
  await db
    .updateTable('users')
    .set({ roles: ['ROLE_ADMIN'] })
    .where('id', '=', anna.id)
    .execute()
  await user('GET', '/api/v1/alerts/firing').expect(200)
  expect(await access(anna.id, music, '/')).toMatchObject({ because: [{ because: 'administrator' }] })
})

test('a user of several groups sees what any of them sees, everything if one of them does, and nothing after leaving them', async () => {
  const ben = await testUser(db, [])
  await db
    .updateTable('users')
    .set({ groups: ['editors', 'sound'] })
    .where('id', '=', ben.id)
    .execute()
  const limitGroup = (name: string, limits: object) => admin('PUT', `/api/v1/groups/${name}/limits`, limits).expect(204)
  await limitGroup('editors', { ...none, folders: [{ storageId: films, path: '/cuts' }] })
  await limitGroup('sound', { ...none, storages: [music] })
  expect((await scopeOf(db, ben.id)).places.map(({ volumeId, path }) => [volumeId, path])).toEqual([
    [films, '/cuts'],
    [music, '/'],
  ])
  expect(await access(ben.id, films, '/cuts/1')).toMatchObject({
    because: [{ because: 'folder', group: 'editors', name: '/cuts' }],
  })
  const user = await as(ben.id)
  await user('GET', '/api/v1/alerts/firing').expect(403)
  await limitGroup('sound', { ...none, everything: true })
  await user('GET', '/api/v1/alerts/firing').expect(200)
  const atProvider = { groups: ['guests'], issuer: 'https://id.studio', subject: 'ben' }
  await db.updateTable('users').set(atProvider).where('id', '=', ben.id).execute()
  await user('GET', '/api/v1/alerts/firing').expect(403)
  expect(await access(ben.id, films, '/')).toEqual({ allowed: false, because: [], since: null })
  await limitGroup('editors', { ...none, everything: true })
  await user('GET', '/api/v1/alerts/firing').expect(200)
  await limitGroup('editors', none)
  await user('GET', '/api/v1/alerts/firing').expect(403)
  await limit(ben.id, { ...none, everything: true }).expect(204)
  await user('GET', '/api/v1/alerts/firing').expect(200)
  expect(await access(ben.id, films, '/')).toMatchObject({ because: [{ because: 'everything', group: null }] })
})

test('many limits are set in one call, or none of them if one is wrong', async () => {
  const users = await Promise.all(Array.from({ length: 200 }, () => testUser(db, [])))
  const all = users.map(({ name }) => ({ user: name, ...ofAurora }))
  const wrong = [...all.slice(0, 3), { user: 'nobody', ...ofAurora }, { group: 'wrong', ...none, storages: [9_999] }]
  const refused = await admin('PUT', '/api/v1/limits', { limits: wrong }).expect(400)
  expect(refused.body.subErrors).toEqual([
    expect.objectContaining({ field: 'limits.3.user', message: 'is unknown: nobody' }),
  ])
  await limit(users[0]!.id, { ...none, storages: [9_999] }).expect(400)
  expect(
    await db
      .selectFrom('limits')
      .selectAll()
      .where(
        'userId',
        'in',
        users.map(({ id }) => id),
      )
      .execute(),
  ).toEqual([])
  await admin('PUT', '/api/v1/limits', { limits: all }).expect(204)
  for (const { id } of [users[0]!, users[199]!]) expect((await scopeOf(db, id)).projects).toEqual([aurora])
})

test('the event log folds to the same limits', async () => {
  const eva = await testUser(db, [])
  await limit(eva.id, ofAurora).expect(204)
  await limit(eva.id, { ...none, storages: [music, films, music] }).expect(204)
  await limit(eva.id, { ...none, storages: [films, music] }).expect(204)
  const events = await readStream<{ type: string; after: Limits }>(db, `limits-${eva.id}`)
  expect(events).toHaveLength(2)
  const folded = events.reduce<Limits | undefined>((_, { event }) => event.after, undefined)
  expect((await admin('GET', `/api/v1/users/${eva.id}/limits`).expect(200)).body).toEqual(folded)
  await limit(eva.id, { ...none, everything: true }).expect(204)
  expect(await db.selectFrom('limits').select('everything').where('userId', '=', eva.id).execute()).toEqual([
    { everything: true },
  ])
  expect((await readStream<{ after: Limits }>(db, `limits-${eva.id}`)).at(-1)?.event.after.everything).toBe(true)
  await admin('GET', '/api/v1/users/999999/limits').expect(404)
})

test('addresses of users with limits receive only data that their limits show', async () => {
  const { id } = await testUser(db, [])
  await db.updateTable('users').set({ email: 'Cleo@studio.example' }).where('id', '=', id).execute()
  const addresses = ['cleo@studio.example', 'accounts@studio.example']
  const receiving = (project?: number) =>
    db
      .transaction()
      .execute((trx) => addressesSeeing(trx, addresses, ({ projects }) => projects.includes(project ?? 0)))
  expect(await receiving()).toEqual(addresses)
  await limit(id, ofAurora).expect(204)
  expect(await receiving()).toEqual(addresses.slice(1))
  expect(await receiving(aurora)).toEqual(addresses)
})
