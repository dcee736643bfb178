import { expect, test } from 'vitest'
import { maxPathLength } from '#events/entries.ts'
import { createApp } from '#server/app.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testUser } from '#server/testing.ts'
import { savedSearchRoutes } from './index.ts'

const sent: unknown[] = []
const platform = { ...(await testPlatform()), live: (event: unknown) => void sent.push(event) }
const { db } = platform
const app = createApp(platform, savedSearchRoutes(platform))
const path = '/api/v1/savedSearches'
const signedIn = async (roles: Parameters<typeof testUser>[1]) => {
  const user = await testUser(db, roles)
  return { ...user, ask: asUser(app, await openSession(db, user.id, '127.0.0.1')) }
}
const ana = await signedIn([])
const bob = await signedIn([])
const admin = await signedIn(['ROLE_ADMIN'])
const listOf = async ({ ask }: typeof ana) => (await ask('GET', path).expect(200)).body.elements
const draft = { name: 'Old films', query: 'extension=mov&lastAccessBefore=2026-01-01', isShared: false }
const events = (id: number) =>
  db.selectFrom('events').selectAll().where('stream', '=', `savedSearch-${id}`).orderBy('version').execute()
const save = async (of: typeof ana, body: object) => (await of.ask('POST', path, body).expect(200)).body.id as number

test('a search is kept for its owner alone until it is shared; browsers hear of it', async () => {
  sent.length = 0
  const id = await save(ana, draft)
  expect(sent).toEqual([{ type: 'changed', topics: ['savedSearches'] }])
  expect(await listOf(ana)).toEqual([{ ...draft, id, owner: ana.name, mayChange: true }])
  for (const other of [bob, admin]) {
    expect(await listOf(other)).toEqual([])
    for (const [method, body] of [
      ['PUT', draft],
      ['DELETE', undefined],
    ] as const) {
      const { body: answer } = await other.ask(method, `${path}/${id}`, body).expect(404)
      expect(answer.message).toBe(`There is no saved search ${id}`)
    }
  }
  await ana.ask('PUT', `${path}/${id}`, { ...draft, isShared: true }).expect(204)
  expect(await listOf(bob)).toEqual([{ ...draft, isShared: true, id, owner: ana.name, mayChange: false }])
  await ana.ask('DELETE', `${path}/${id}`).expect(204)
  expect(await listOf(ana)).toEqual([])
})

test('shared searches are only changed by their owner and administrators, and each change is recorded', async () => {
  const id = await save(ana, { ...draft, isShared: true })
  await bob.ask('PUT', `${path}/${id}`, draft).expect(403)
  await bob.ask('DELETE', `${path}/${id}`).expect(403)
  expect((await listOf(admin))[0]).toMatchObject({ mayChange: true })
  await admin.ask('PUT', `${path}/${id}`, { ...draft, name: 'Older films', isShared: true }).expect(204)
  expect(await listOf(bob)).toMatchObject([{ name: 'Older films', owner: ana.name }])
  await admin.ask('DELETE', `${path}/${id}`).expect(204)
  expect((await events(id)).map(({ actor, data }) => [actor, data])).toMatchObject([
    [ana.name, { type: 'Created', after: { name: 'Old films' } }],
    [admin.name, { type: 'Changed', before: { name: 'Old films' }, after: { name: 'Older films' } }],
    [admin.name, { type: 'Removed', before: { name: 'Older films' } }],
  ])
})

test('each user gives a name once; others may give the same', async () => {
  const id = await save(ana, draft)
  const second = await save(ana, { ...draft, name: 'Second' })
  const { body } = await ana.ask('POST', path, { ...draft, name: ' Old films ' }).expect(400)
  expect(body.subErrors).toEqual([{ field: 'name', message: 'is already the name of another saved search' }])
  await ana.ask('PUT', `${path}/${second}`, draft).expect(400)
  await ana.ask('PUT', `${path}/${id}`, { ...draft, query: 'owner=ana' }).expect(204)
  await save(bob, draft)
  expect((await listOf(ana)).map(({ name }: { name: string }) => name)).toEqual(['Old films', 'Second'])
})

test.each([
  [{ ...draft, name: ' ' }, 'name'],
  [{ ...draft, name: 'x'.repeat(101) }, 'name'],
  [{ ...draft, query: undefined }, 'query'],
])('%j is refused and names the field', async (wrong, field) => {
  const { body } = await bob.ask('POST', path, wrong).expect(400)
  expect(body.subErrors[0].field).toBe(field)
})

test('a search in the deepest folder is kept whole, and nothing longer', async () => {
  const query = new URLSearchParams({ startingPath: `/${'日'.repeat(maxPathLength - 1)}` }).toString()
  const id = await save(bob, { ...draft, name: 'Deepest', query })
  expect(await listOf(bob)).toContainEqual(expect.objectContaining({ id, query }))
  const { body } = await bob.ask('POST', path, { ...draft, name: 'Longer', query: 'x'.repeat(400_000) }).expect(400)
  expect(body.subErrors[0].field).toBe('query')
})

test('users with limits have their own searches alone: names and paths of others may be those of hidden folders', async () => {
  const cleo = await signedIn([])
  await db
    .insertInto('limits')
    .values({ userId: cleo.id, everything: false, projects: [], storages: [], folders: '[]' })
    .execute()
  const shared = await save(ana, { ...draft, name: 'Films of Vega', query: 'startingPath=/vega', isShared: true })
  const own = await save(cleo, { ...draft, name: 'Mine' })
  expect((await listOf(cleo)).map(({ id }: { id: number }) => id)).toEqual([own])
  for (const id of [shared, 999_999]) {
    const { body } = await cleo.ask('PUT', `${path}/${id}`, draft).expect(404)
    expect(body.message).toBe(`There is no saved search ${id}`)
    await cleo.ask('DELETE', `${path}/${id}`).expect(404)
  }
  // Of another user the name is free: that it is taken would show that a hidden search exists.
  await save(cleo, { ...draft, name: 'Films of Vega' })
})
