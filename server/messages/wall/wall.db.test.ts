import request from 'supertest'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { isCallOfWall, isTopicOfWall } from '#events/users/wallAccess.ts'
import { wallCookie } from '#events/wall.ts'
import { createApp } from '#server/app.ts'
import { startLive } from '#server/messages/live/index.ts'
import { listen, look } from '#server/messages/live/testing.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testSession, testUser } from '#server/testing.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'

const platform = await testPlatform()
const { db } = platform
const routes = routesOf(platform)
const app = createApp(platform, routes)
const adminSession = await testSession(db, ['ROLE_ADMIN'])
const admin = asUser(app, adminSession)
const nobody = asUser(app, undefined)
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const addressOf = ({ path }: Endpoint) => `/api${path.replace(/:\w+/g, '1')}`
const calls = routes.map(({ endpoint }) => endpoint)

beforeEach(() => db.deleteFrom('wallTokens').execute())

const newToken = async (name = 'Lobby') => (await admin('POST', '/api/v1/wall/tokens', { name }).expect(200)).body
const end = (id: number) => admin('DELETE', `/api/v1/wall/tokens/${id}`).expect(204)

/** A display with a token; its requests have its cookie and the cross-site token. */
async function display(token: string) {
  const { headers } = await nobody('POST', '/api/v1/wall/session', { token }).expect(200)
  const [cookie = ''] = [headers['set-cookie']].flat() as string[]
  const session = new RegExp(`^${wallCookie}=([^;]+); Path=/; HttpOnly; SameSite=Lax$`).exec(cookie)?.[1] ?? ''
  const ask: typeof nobody = (method, path, body) => {
    const response = nobody(method, path, body)
    return response.set('Cookie', `${String(response.get('Cookie'))}; ${wallCookie}=${session}`)
  }
  return { session, ask }
}

test('a token is shown once; what the table keeps of it and of its sessions opens nothing', async () => {
  const made = await newToken()
  expect(made.token).toMatch(/^[\w-]{43}$/)
  const { session } = await display(made.token)
  const list = await admin('GET', '/api/v1/wall/tokens').expect(200)
  expect(list.body.elements).toEqual([
    {
      id: made.id,
      name: 'Lobby',
      frameAncestors: '',
      boards: ['capacity', 'jobs', 'growth', 'now', 'map', 'agents'],
      every: 30,
      scheme: null,
      createdBy: expect.stringMatching(/^user-/),
      createdAt: expect.stringMatching(/Z$/),
      displays: 1,
      lastSeenAt: expect.stringMatching(/Z$/),
    },
  ])
  const kept = JSON.stringify([
    await db.selectFrom('wallTokens').selectAll().execute(),
    await db.selectFrom('wallSessions').selectAll().execute(),
    await db.selectFrom('events').selectAll().execute(),
  ])
  expect(kept).not.toContain(made.token)
  expect(kept).not.toContain(session)
  const { tokenHash } = await db.selectFrom('wallTokens').select('tokenHash').executeTakeFirstOrThrow()
  await nobody('POST', '/api/v1/wall/session', { token: tokenHash }).expect(401)
})

test('a name is used once, in any case', async () => {
  await newToken('Lobby')
  const { body } = await admin('POST', '/api/v1/wall/tokens', { name: ' lobby ' }).expect(400)
  expect(body.subErrors).toEqual([{ field: 'name', message: 'should be unique, lobby already exists' }])
})

test('making, opening and ending are recorded, with who did it', async () => {
  const { id, token } = await newToken('Control room')
  await display(token)
  await end(id)
  const events = await db.selectFrom('events').select(['type', 'actor']).where('stream', '=', `wall-${id}`).execute()
  expect(events).toEqual([
    { type: 'Created', actor: expect.stringMatching(/^user-/) },
    { type: 'SignedIn', actor: 'wall Control room' },
    { type: 'Removed', actor: expect.stringMatching(/^user-/) },
  ])
})

test('options of a display are changed while it is open, and recorded', async () => {
  const { id, token } = await newToken()
  const { ask } = await display(token)
  const optionsNow = async () => (await ask('GET', '/api/v1/wall/options').expect(200)).body
  const defaults = { boards: ['capacity', 'jobs', 'growth', 'now', 'map', 'agents'], every: 30, scheme: null }
  expect(await optionsNow()).toEqual(defaults)
  const changed = { boards: ['map', 'jobs'], every: 60, scheme: 'light' }
  await admin('PUT', `/api/v1/wall/tokens/${id}`, { name: 'Hall', frameAncestors: '', ...changed }).expect(204)
  expect(await optionsNow()).toEqual(changed)
  expect((await admin('GET', '/api/v1/wall/options').expect(200)).body).toEqual(defaults)
  const { data } = await db
    .selectFrom('events')
    .select('data')
    .where('stream', '=', `wall-${id}`)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(data).toMatchObject({ before: { name: 'Lobby', every: 30 }, after: { name: 'Hall', every: 60 } })
})

test('options that no display can show are refused with their field', async () => {
  const faults = async (options: object) =>
    (await admin('POST', '/api/v1/wall/tokens', { name: 'Lobby', ...options }).expect(400)).body.subErrors
  expect(await faults({ boards: [] })).toEqual([{ field: 'boards', message: 'must have at least one board' }])
  expect(await faults({ every: 5 })).toEqual([{ field: 'every', message: 'must be at least 10 seconds' }])
  expect(await faults({ boards: ['map', 'map'] })).toEqual([{ field: 'boards', message: 'must have each board once' }])
})

test('the calls and topics of a wall are listed here once more', () => {
  expect(calls.filter(isCallOfWall).map(nameOf).sort()).toEqual([
    'GET /v1/dashboard',
    'GET /v1/jobs',
    'GET /v1/live/growing',
    'GET /v1/projects/mostActiveProjects',
    'GET /v1/reports/checks',
    'GET /v1/servers/infos',
    'GET /v1/volumes',
    'GET /v1/volumes/mostActiveVolumes',
    'GET /v1/wall/firing',
    'GET /v1/wall/folders',
    'GET /v1/wall/growth',
    'GET /v1/wall/options',
  ])
  expect((['dashboard', 'jobs', 'changed', 'log', 'job-1'] as const).filter(isTopicOfWall)).toEqual([
    'dashboard',
    'jobs',
    'changed',
  ])
})

test('of all calls a wall may make those and no other', async () => {
  const { ask } = await display((await newToken()).token)
  const guarded = calls.filter(({ needs }) => needs !== 'nothing')
  const refused = { message: 'A wall display may not do this', code: 'wall' }
  for (const call of guarded) {
    const { status, body } = await ask(call.method, addressOf(call), call.body && {})
    const expected = isCallOfWall(call) ? [200, body] : [403, refused]
    expect([nameOf(call), status, body]).toEqual([nameOf(call), ...expected])
  }
  expect(guarded.length).toBeGreaterThan(50)
})

test('without the cross-site token the exchange is refused, and a cookie next to an Authorization counts for nothing', async () => {
  const { token } = await newToken()
  const refused = await request(app).post('/api/v1/wall/session').send({ token }).expect(403)
  expect(refused.body.code).toBe('cross-site-token')
  const { ask } = await display(token)
  await ask('GET', '/api/v1/dashboard').set('Authorization', 'Bearer made-up').expect(401)
})

test('a token that is wrong or was ended opens nothing, and what it opened is closed', async () => {
  const made = await newToken()
  const { ask } = await display(made.token)
  await ask('GET', '/api/v1/dashboard').expect(200)
  await end(made.id)
  await ask('GET', '/api/v1/dashboard').expect(401)
  const { body } = await nobody('POST', '/api/v1/wall/session', { token: made.token }).expect(401)
  expect(body.message).toBe('This wall display was revoked, or its address is incomplete')
  await nobody('POST', '/api/v1/wall/session', { token: 'made-up' }).expect(401)
})

test('in a browser with both cookies the user counts', async () => {
  const { session } = await display((await newToken()).token)
  const { id, name } = await testUser(db, [])
  const { openSession } = await import('#server/platform/callers/session.ts')
  const own = await openSession(db, id, '127.0.0.1')
  const me = await request(app).get('/api/currentUserInfo').set('Cookie', `SESSION=${own}; ${wallCookie}=${session}`)
  expect([me.status, me.body.name]).toEqual([200, name])
})

test('a display that opens the wall again has one session, and one not seen for a month has none', async () => {
  const { token } = await newToken()
  const { ask } = await display(token)
  await ask('POST', '/api/v1/wall/session', { token }).expect(200)
  const old = await ask('GET', '/api/v1/dashboard')
  expect(old.status).toBe(401)
  const second = await display(token)
  await db
    .updateTable('wallSessions')
    .set({ lastSeenAt: new Date(Date.now() - 31 * 86_400_000) })
    .execute()
  const forgotten = await second.ask('GET', '/api/v1/dashboard')
  expect(forgotten.status).toBe(401)
})

test('the live socket tells a wall what it shows and nothing else, until its token is ended', async () => {
  const place = await listen()
  const live = await startLive(platform, place.http)
  onTestFinished(async () => {
    await live.stop()
    await place.close()
  })
  const { id, token } = await newToken()
  const { session } = await display(token)
  const wall = look(place.host, { wall: session })
  await wall.opened()
  for (const topic of ['dashboard', 'jobs', 'changed'] as const) {
    wall.say({ type: 'subscribe', topic })
    await wall.until((message) => message.type === 'state' && message.topic === topic)
  }
  for (const topic of ['log', 'job-1'] as const) {
    wall.say({ type: 'subscribe', topic })
    await wall.until((message) => message.type === 'refused' && message.topic === topic)
  }
  const beats = () => wall.heard.filter(({ type }) => type === 'beat').length
  await expect.poll(beats).toBeGreaterThan(2)
  expect(wall.heard.filter(({ type }) => type === 'refused')).toHaveLength(2)
  const closed = wall.closed()
  await end(id)
  expect(await closed).toBe(4401)
  expect(await look(place.host, { wall: session }).refused()).toBe(401)
})

test('growth sums each snapshot from the newest one before its days on, and says which are partial', async () => {
  const [one, other] = [
    await createFileStorage(db, { name: 'Films', path: '/films' }),
    await createFileStorage(db, { name: 'Sound', path: '/sound' }),
  ]
  let task = 0
  const scan = async (volumeId: number, indexingDate: string, bytes: number, state: 'done' | 'partial' = 'done') => {
    const row = { volumeId, state, indexingDate, bytes, jobId: 1, taskId: ++task, agentId: 1 }
    const { id } = await db.insertInto('scans').values(row).returning('id').executeTakeFirstOrThrow()
    await db.insertInto('snapshots').values({ indexingDate, volumeId, scanId: id }).execute()
  }
  await scan(one, '2026-01-01', 5)
  await scan(one, '2026-01-02', 10)
  await scan(other, '2026-01-02', 2 ** 50, 'partial')
  await scan(one, '2026-01-31', 30)
  await scan(one, '2026-02-01', 40)
  const growth = async (days: number) => (await admin('GET', `/api/v1/wall/growth?days=${days}`).expect(200)).body
  const [first, second, third, fourth] = [
    { indexingDate: '2026-01-01', sizeOfFiles: 5, isPartial: false },
    { indexingDate: '2026-01-02', sizeOfFiles: 2 ** 50 + 10, isPartial: true },
    { indexingDate: '2026-01-31', sizeOfFiles: 30, isPartial: false },
    { indexingDate: '2026-02-01', sizeOfFiles: 40, isPartial: false },
  ]
  expect(await growth(1)).toEqual([third, fourth])
  expect(await growth(29)).toEqual([second, third, fourth])
  expect(await growth(30)).toEqual([second, third, fourth])
  expect(await growth(31)).toEqual([first, second, third, fourth])
  expect(await growth(366)).toHaveLength(4)
})
