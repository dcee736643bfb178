import request from 'supertest'
import { beforeEach, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testSession } from '#server/testing.ts'

const platform = await testPlatform()
const { db } = platform
const routes = routesOf(platform)
const app = createApp(platform, routes)
const admin = asUser(app, await testSession(db, ['ROLE_ADMIN']))

beforeEach(() => db.deleteFrom('apiTokens').execute())

const newToken = async (name = 'nightly', changes: object = {}) =>
  (await admin('POST', '/api/v1/apiTokens', { name, roles: ['ROLE_PROJECT_MANAGER'], ...changes }).expect(200)).body
const by = (token: string, to = app) => ({
  get: (path: string) => request(to).get(path).set('Authorization', `Bearer ${token}`),
  put: (path: string, body: object) => request(to).put(path).set('Authorization', `Bearer ${token}`).send(body),
})
const listed = async () => (await admin('GET', '/api/v1/apiTokens').expect(200)).body.elements

test('a token is shown once; what is kept of it opens nothing', async () => {
  const made = await newToken()
  expect(made.token).toMatch(/^di_[\w-]{43}$/)
  expect(await listed()).toEqual([
    {
      id: made.id,
      name: 'nightly',
      owner: expect.stringMatching(/^user-/),
      isOwnerDisabled: false,
      roles: ['ROLE_PROJECT_MANAGER'],
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: made.expiresAt,
      isExpired: false,
      lastUsedAt: null,
    },
  ])
  const rows = await db.selectFrom('apiTokens').selectAll().execute()
  const kept = JSON.stringify([rows, await db.selectFrom('events').selectAll().execute()])
  expect(kept).not.toContain(made.token)
  expect(kept).not.toContain(made.token.slice(3))
  await by(rows[0]!.tokenHash).get('/api/currentUserInfo').expect(401)
})

test('a script changes things without a cookie or a cross-site token, and the log says by which token', async () => {
  const { token } = await newToken()
  const script = by(token)
  const { body } = await script.get('/api/currentUserInfo').expect(200)
  expect(body.roles).toEqual([{ authority: 'ROLE_PROJECT_MANAGER' }])
  await script.put('/api/currentUserInfo', { email: 'script@example.com' }).expect(204)
  const { actor } = await db
    .selectFrom('events')
    .select('actor')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(actor).toMatch(/^user-.*, token nightly$/)
  expect((await listed())[0].lastUsedAt).toMatch(/Z$/)
})

test('a token that was revoked or has expired is refused, and the list says which has expired', async () => {
  const [revoked, expired] = [await newToken('revoked'), await newToken('expired', { days: 1 })]
  await admin('DELETE', `/api/v1/apiTokens/${revoked.id}`).expect(204)
  const message = 'This API token is unknown or was revoked'
  await by(revoked.token).get('/api/v1/dashboard').expect(401, { message, code: 'token' })
  await by(expired.token).get('/api/v1/dashboard').expect(200)
  await db
    .updateTable('apiTokens')
    .set({ expiresAt: new Date(0) })
    .execute()
  const past = { message: 'This API token has expired', code: 'token' }
  await by(expired.token).get('/api/v1/dashboard').expect(401, past)
  expect((await listed()).map(({ name, isExpired }: Record<string, unknown>) => [name, isExpired])).toEqual([
    ['expired', true],
  ])
})

test('a name is given once, and a token lasts a year at most', async () => {
  await newToken()
  const twice = await admin('POST', '/api/v1/apiTokens', { name: 'NIGHTLY' }).expect(400)
  expect(twice.body.subErrors).toEqual([{ field: 'name', message: 'should be unique, NIGHTLY already exists' }])
  const long = await admin('POST', '/api/v1/apiTokens', { name: 'long', days: 367 }).expect(400)
  expect(long.body.subErrors).toEqual([{ field: 'days', message: 'must be at most 366' }])
  expect(await listed()).toHaveLength(1)
})

test('after some wrong tokens an address is not heard with any, and its browsers go on', async () => {
  const limited = createApp(platform, routes, { limits: { nameFromAddress: 99, address: 2, name: 99 } })
  const { token } = await newToken()
  const reads = (word: string) => by(word, limited).get('/api/currentUserInfo')
  await reads(token).expect(200)
  await reads('made-up').expect(401)
  await reads('made-up').expect(401)
  const refused = await reads(token).expect(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  const browser = asUser(limited, await testSession(db, []))
  await browser('GET', '/api/currentUserInfo').expect(200)
})
