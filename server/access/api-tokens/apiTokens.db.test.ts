import request from 'supertest'
import { beforeEach, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { routesOf } from '#server/serve.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { asUser, testUser } from '#server/testing.ts'

const platform = await testPlatform()
const { db } = platform
const routes = routesOf(platform)
const app = createApp(platform, routes)
const administrator = await testUser(db, ['ROLE_ADMIN'])
const admin = asUser(app, await openSession(db, administrator.id, '127.0.0.1'))

beforeEach(() => db.deleteFrom('apiTokens').execute())

const newToken = async (name = 'nightly', changes: object = {}) =>
  (await admin('POST', '/api/v1/apiTokens', { name, roles: ['ROLE_PROJECT_MANAGER'], ...changes }).expect(200)).body
const by = (token: string, to = app) => ({
  get: (path: string) => request(to).get(path).set('Authorization', `Bearer ${token}`),
  post: (path: string, body: object) => request(to).post(path).set('Authorization', `Bearer ${token}`).send(body),
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

test('an expired token that is still used has to wait alone, and other tokens and browsers of its address continue', async () => {
  const [good, expired] = [await newToken(), await newToken('expired')]
  await db
    .updateTable('apiTokens')
    .set({ expiresAt: new Date(0) })
    .where('id', '=', expired.id)
    .execute()
  const reads = (word: string) => by(word).get('/api/currentUserInfo')
  for (let i = 0; i < 50; i++) await reads(expired.token).expect(401)
  const refused = await reads(expired.token).expect(429)
  expect(Number(refused.headers['retry-after'])).toBe(60)
  for (let i = 0; i < 60; i++) await reads(`made-up-${i}`).expect(401)
  await reads(good.token).expect(200)
  await admin('GET', '/api/currentUserInfo').expect(200)
})

test('a token makes no further tokens, and neither grants rights nor gives access', async () => {
  const script = by((await newToken('of admin', { roles: ['ROLE_ADMIN'] })).token)
  const refused = { message: "API tokens can't grant rights or access", code: 'browser-only' }
  await script.post('/api/v1/apiTokens', { name: 'further' }).expect(403, refused)
  await script.post('/api/v1/users', { name: 'thief' }).expect(403, refused)
  await script.post(`/api/v1/users/${administrator.id}/password`, {}).expect(403, refused)
  await script.put(`/api/v1/users/${administrator.id}`, { name: 'thief', roles: [] }).expect(403, refused)
  await script.post('/api/servers', { name: 'far' }).expect(403, refused)
  await script.post('/api/v1/wall/tokens', { name: 'lobby' }).expect(403, refused)
  expect(await listed()).toHaveLength(1)
})

test('a token changes settings, except those that lead secrets, emails or their links elsewhere', async () => {
  const script = by((await newToken('of admin', { roles: ['ROLE_ADMIN'] })).token)
  const put = (name: string, value: string) => script.put('/api/configurations', [{ name, value }])
  await put('jobRetention', '14').expect(200)
  for (const name of ['spring.mail.host', 'spring.mail.password', 'app.url', 'iconikAgents', 'sodaAgents'])
    expect((await put(name, 'mail.example.com').expect(403)).body.code).toBe('browser-only')
})

test('a token for metrics reads metrics, and may call nothing else', async () => {
  const { token } = await newToken('monitoring', { roles: ['ROLE_METRICS'] })
  const scrape = () => by(token).get('/actuator/prometheus').set('X-Forwarded-For', '203.0.113.1')
  expect((await scrape().expect(200)).text).toContain('dataintell_storage_files')
  const { text } = await request(app).get('/actuator/prometheus').expect(200)
  expect(text).toContain('process_cpu')
  expect(text).not.toContain('dataintell_storage_files')
  for (const { endpoint } of routes) {
    if (endpoint.needs === 'nothing') continue
    const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete'
    const call = request(app)[method](`/api${endpoint.path.replace(/:\w+/g, '1')}`)
    const { status, body } = await call.set('Authorization', `Bearer ${token}`)
    expect([endpoint.path, status, body.message]).toEqual([endpoint.path, 403, 'This API token may only read metrics'])
  }
  const refused = await admin('POST', '/api/v1/apiTokens', { name: 'both', roles: ['ROLE_METRICS', 'ROLE_ADMIN'] })
  expect(refused.body.subErrors).toEqual([
    expect.objectContaining({ field: 'roles', message: "Metrics can't be combined with other roles" }),
  ])
  await admin('POST', '/api/v1/users', { name: 'metrics', roles: ['ROLE_METRICS'] }).expect(400)
  await db.updateTable('users').set({ roles: [] }).where('id', '=', administrator.id).execute()
  await scrape().expect(403)
  await by(token).get('/api/currentUserInfo').expect(403)
  await db
    .updateTable('users')
    .set({ roles: ['ROLE_ADMIN'] })
    .where('id', '=', administrator.id)
    .execute()
  await db
    .updateTable('apiTokens')
    .set({ expiresAt: new Date(0) })
    .execute()
  await scrape().expect(401)
})
