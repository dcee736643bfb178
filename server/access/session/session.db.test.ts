import { sql } from 'kysely'
import request from 'supertest'
import { beforeAll, expect, test } from 'vitest'
import { csrfHeader } from '#events/users/session.ts'
import { createApp } from '#server/app.ts'
import { countFailure, strangerCounters } from '#server/platform/callers/guessing.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { asUser, testSession, testUser } from '#server/testing.ts'
import { failedSignIns } from './failedSignIns.ts'
import { ensureAdmin, sessionRoutes, signInText } from './index.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, sessionRoutes(platform))
const me = (session: string | undefined) => asUser(app, session)('GET', '/api/currentUserInfo')
const statusOf = async (session: string | undefined) => (await me(session)).status
const signIn = (name: string, password: string, to = app) =>
  asUser(to, undefined)('POST', '/api/login', { name, password })
const cookieOf = ({ headers }: request.Response, name: string) =>
  ([headers['set-cookie']].flat() as string[]).find((cookie) => cookie?.startsWith(`${name}=`)) ?? ''
const sessionOf = (response: request.Response) => /^SESSION=([^;]*)/.exec(cookieOf(response, 'SESSION'))?.[1]

let ana: { id: number; name: string }
beforeAll(async () => {
  ana = await testUser(db, ['ROLE_PROJECT_MANAGER'], 'correct horse')
})

test('a weak password of the environment is refused before the account is made', async () => {
  const faults = [
    ['x', 'must have at least 12 characters'],
    ['xyzwxyzwxyzw', 'must not repeat a few characters'],
    ['Admin1234567', 'must not be the name of the account'],
    ['qwertyqwerty', 'must not be a commonly used password'],
  ] as const
  for (const [adminPassword, fault] of faults)
    await expect(ensureAdmin(db, { adminPassword })).rejects.toThrow(`DATAINTELL_ADMIN_PASSWORD ${fault}`)
  expect(await db.selectFrom('users').select('id').where('name', '=', 'admin').execute()).toEqual([])
})

test('the first start makes the account admin once, with a password shown once, also of several servers at once', async () => {
  const starts = await Promise.all([1, 2, 3].map(() => ensureAdmin(db, { adminPassword: undefined })))
  expect(starts.map(({ from }) => from).sort()).toEqual(['earlier', 'earlier', 'generated'])
  const made = starts.find(({ from }) => from === 'generated')!
  expect(made).toEqual({ from: 'generated', password: expect.stringMatching(/^\w{20}$/) })
  expect(signInText(made)).toMatch(/^Sign in as admin with the password \w{20} \(shown only once\)$/)
  expect(await ensureAdmin(db, { adminPassword: undefined })).toEqual({ from: 'earlier' })
  const { body } = await signIn('admin', made.from === 'generated' ? made.password : '').expect(200)
  expect(body).toMatchObject({ name: 'admin', roles: [{ authority: 'ROLE_ADMIN' }], bundles: platform.config.bundles })
})

test('a password of the environment is never shown, and later starts say that it is not used', async () => {
  const adminPassword = 'a password of the operator'
  await db.deleteFrom('users').where('name', '=', 'admin').execute()
  const made = await ensureAdmin(db, { adminPassword })
  expect(signInText(made)).toBe('Sign in as admin with the password in DATAINTELL_ADMIN_PASSWORD')
  const later = signInText(await ensureAdmin(db, { adminPassword }))
  expect(later).toBe('Sign in with an existing account. DATAINTELL_ADMIN_PASSWORD is used only at the first start.')
  await signIn('admin', adminPassword).expect(200)
})

test('a browser signs in with the token that loginInfo gave it, is known, and signs out', async () => {
  const browser = request.agent(app)
  const info = await browser.get('/api/loginInfo').expect(200, { loginUrl: '/login', singleSignOn: false })
  const token = /^XSRF-TOKEN=([^;]+)/.exec(cookieOf(info, 'XSRF-TOKEN'))![1]!
  expect(cookieOf(info, 'XSRF-TOKEN')).not.toContain('HttpOnly')
  const credentials = { name: ana.name, password: 'correct horse' }
  const signedIn = await browser.post('/api/login').set(csrfHeader, token).send(credentials).expect(200)
  expect(cookieOf(signedIn, 'SESSION')).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/)
  await browser.get('/api/currentUserInfo').expect(200, signedIn.body)
  await browser.get('/api/currentUserInfo?optional=true').expect(200, signedIn.body)
  await browser.post('/logout').set(csrfHeader, token).expect(200, { logoutUrl: '/login' })
  await browser.get('/api/currentUserInfo').expect(401)
  await browser.get('/api/currentUserInfo?optional=true').expect(200, null)
  const stream = await db.selectFrom('events').select(['type', 'actor']).where('actor', '=', ana.name).execute()
  expect(stream.map(({ type }) => type)).toEqual(['SignedIn', 'SignedOut'])
})

test('an unknown name and a wrong password get the same answer', async () => {
  const wrong = await signIn(ana.name, 'wrong').expect(401)
  const unknown = await signIn('nobody', 'wrong').expect(401)
  expect(wrong.body).toEqual({ message: 'The name or the password is wrong', code: 'wrong-credentials' })
  expect(unknown.body).toEqual(wrong.body)
  expect(wrong.headers['set-cookie']).toBeUndefined()
})

test('failed sign-ins are in the event log: the first at once, the others of a minute as one, and no name that is unknown', async () => {
  const events = () =>
    db
      .selectFrom('events')
      .select(['stream', 'actor', 'address', 'data'])
      .where('type', '=', 'SignInFailed')
      .where('address', 'like', '10.0.%')
      .orderBy('position')
      .execute()
  const note = failedSignIns(platform, 200)
  const reason = 'the name or the password was wrong'
  for (const address of ['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2']) note({ user: ana, address, reason })
  for (let stranger = 0; stranger < 50; stranger++) note({ user: undefined, address: `10.0.1.${stranger}`, reason })
  await expect.poll(async () => (await events()).length).toBe(5)
  const written = (await events()).map(({ data, ...row }) => ({ ...row, ...(data as object) }))
  const ofAna = { stream: `user-${ana.id}`, name: ana.name, actor: 'not signed in', reason }
  const ofStrangers = { stream: 'sign-ins', name: 'an unknown name' }
  expect(written).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...ofAna, address: '10.0.0.1', failures: 1 }),
      expect.objectContaining({ ...ofAna, address: '10.0.0.2', failures: 1 }),
      expect.objectContaining({ ...ofAna, address: '10.0.0.1', failures: 2 }),
      expect.objectContaining({ ...ofStrangers, failures: 1 }),
      expect.objectContaining({ ...ofStrangers, failures: 49 }),
    ]),
  )
  await signIn(ana.name, 'wrong horse').expect(401)
  const own = db
    .selectFrom('events')
    .select('address')
    .where('type', '=', 'SignInFailed')
    .where('stream', '=', `user-${ana.id}`)
  await expect.poll(async () => (await own.execute()).map(({ address }) => address)).toContain('127.0.0.1')
})

test('a user without a password cannot sign in', async () => {
  const { name } = await testUser(db, [])
  expect((await signIn(name, 'null')).status).toBe(401)
})

test('signing in ends the session that the browser had', async () => {
  const planted = await testSession(db, [])
  const response = await asUser(app, planted)('POST', '/api/login', { name: ana.name, password: 'correct horse' })
  expect(sessionOf(response)).not.toBe(planted)
  expect(await statusOf(planted)).toBe(401)
  expect(await statusOf(sessionOf(response))).toBe(200)
})

test('the table of sessions opens no door: what it keeps is not what the browser shows', async () => {
  const session = await testSession(db, ['ROLE_ADMIN'])
  const { idHash } = await db
    .selectFrom('sessions')
    .select('idHash')
    .orderBy('createdAt', 'desc')
    .executeTakeFirstOrThrow()
  expect(idHash).not.toContain(session)
  expect(await statusOf(idHash)).toBe(401)
  expect(await statusOf(`${session.slice(0, -1)}x`)).toBe(401)
  expect(await statusOf("' OR 1=1 --")).toBe(401)
})

test('a session ends when it was idle too long, and using it prolongs it up to 30 days', async () => {
  const session = await testSession(db, [])
  const age = (hours: number) =>
    db
      .updateTable('sessions')
      .set({
        createdAt: sql`created_at - ${`${hours} hours`}::interval`,
        lastSeenAt: sql`last_seen_at - ${`${hours} hours`}::interval`,
        expiresAt: sql`expires_at - ${`${hours} hours`}::interval`,
      })
      .execute()
  for (let used = 0; used < 65; used++) {
    await age(11)
    expect(await statusOf(session)).toBe(200)
  }
  await age(11)
  expect(await statusOf(session)).toBe(401)
  const idle = await testSession(db, [])
  await age(13)
  expect(await statusOf(idle)).toBe(401)
})

test('a deleted user is signed out', async () => {
  const { id } = await testUser(db, [])
  const { openSession } = await import('#server/platform/callers/session.ts')
  const session = await openSession(db, id, '127.0.0.1')
  expect(await statusOf(session)).toBe(200)
  await db.deleteFrom('users').where('id', '=', id).execute()
  expect(await statusOf(session)).toBe(401)
})

test('a call that changes something needs the cross-site token, from a page of ours', async () => {
  const session = await testSession(db, [])
  const logout = () => request(app).post('/api/logout')
  const refused = await logout().set('Cookie', `SESSION=${session}`).expect(403)
  expect(refused.body.code).toBe('cross-site-token')
  await logout().set('Cookie', `SESSION=${session}; XSRF-TOKEN=one`).set(csrfHeader, 'one').expect(403)
  await asUser(app, session)('POST', '/api/logout').set(csrfHeader, 'x'.repeat(47)).expect(403)
  for (const from of ['cross-site', 'same-site']) {
    await asUser(app, session)('POST', '/api/logout').set('Sec-Fetch-Site', from).expect(403)
  }
  expect(await statusOf(session)).toBe(200)
  await asUser(app, session)('POST', '/api/logout').set('Sec-Fetch-Site', 'same-origin').expect(200)
  expect(await statusOf(session)).toBe(401)
})

test('a call with a token of its own does not count as the browser of the cookie', async () => {
  const session = await testSession(db, ['ROLE_ADMIN'])
  expect((await me(session).set('Authorization', 'Bearer made-up')).status).toBe(401)
})

const addressed = (of: string, path = '/api/login') => request(proxied).post(path).set('X-Forwarded-For', of)
const config = { ...platform.config, trustedProxies: ['loopback'] }
const proxied = createApp({ ...platform, config }, sessionRoutes({ ...platform, config }))
const signInFrom = (of: string, name: string, password: string, cookie = '') =>
  addressed(of)
    .set('Cookie', `XSRF-TOKEN=${'x'.repeat(43)}; ${cookie}`)
    .set(csrfHeader, 'x'.repeat(43))
    .send({ name, password })

test('after a few wrong passwords more are refused unheard, and others still get in', async () => {
  const { name } = await testUser(db, [], 'pass')
  const from = '203.0.113.50'
  for (let i = 0; i < 10; i++) await signInFrom(from, name, 'wrong').expect(401)
  const refused = await signInFrom(from, name, 'pass').expect(429)
  expect(refused.body.message).toBe('Too many failed sign-ins. Try again in 1 minute')
  expect(Number(refused.headers['retry-after'])).toBe(60)
  await signInFrom(from, ana.name, 'correct horse').expect(200)
  await signInFrom('203.0.113.51', name, 'pass').expect(200)
})

test('no user is locked out: a browser that signed in before gets in while others guess at its account', async () => {
  const { name } = await testUser(db, [], 'pass')
  const first = await signInFrom('203.0.113.1', name, 'pass').expect(200)
  const cookie = ([first.headers['set-cookie']].flat() as string[]).find((one) => one.startsWith('KNOWN_')) ?? ''
  expect(cookie).toMatch(/; Max-Age=15552000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/)
  const pair = cookie.split(';')[0] ?? ''
  for (let i = 0; i < 90; i++) await countFailure(db, strangerCounters(name, `203.0.113.${100 + (i % 10)}`))
  await signInFrom('203.0.113.1', name, 'pass').expect(429)
  await signInFrom('203.0.113.1', name, 'pass', `${pair.slice(0, -1)}x`).expect(429)
  await signInFrom('203.0.113.1', name, 'pass', pair).expect(200)
  const { id } = await testUser(db, [], 'pass')
  await signInFrom('203.0.113.1', name, 'pass', pair.replace(/^KNOWN_\d+/, `KNOWN_${id}`)).expect(429)
  for (let i = 0; i < 10; i++) await signInFrom('203.0.113.1', name, 'wrong', pair).expect(401)
  await signInFrom('203.0.113.1', name, 'pass', pair).expect(429)
})

test('requests refused before a password is checked count nowhere, such as those of a foreign page', async () => {
  const count = async () => (await db.selectFrom('failedPasswords').selectAll().execute()).length
  const before = await count()
  for (let i = 0; i < 60; i++) {
    await addressed('203.0.113.60').type('text/plain').send('{"name":"x","password":"x"}').expect(403)
    await addressed('203.0.113.60').send({ name: ana.name, password: 'wrong' }).expect(403)
  }
  const token = 'x'.repeat(43)
  const ours = { Cookie: `XSRF-TOKEN=${token}`, [csrfHeader]: token }
  await addressed('203.0.113.60').set(ours).set('Sec-Fetch-Site', 'cross-site').send({ name: ana.name, password: 'x' })
  await addressed('203.0.113.60').set(ours).send({ name: ana.name }).expect(400)
  expect(await count()).toBe(before)
  await signInFrom('203.0.113.60', ana.name, 'correct horse').expect(200)
})

test('counters are in the database, so that a restart or another replica forgets none', async () => {
  const { name } = await testUser(db, [], 'pass')
  for (let i = 0; i < 10; i++) await signInFrom('203.0.113.70', name, 'wrong').expect(401)
  const later = createApp({ ...platform, config }, sessionRoutes({ ...platform, config }))
  const token = 'x'.repeat(43)
  const signIn = request(later).post('/api/login').set('X-Forwarded-For', '203.0.113.70').set(csrfHeader, token)
  expect((await signIn.set('Cookie', `XSRF-TOKEN=${token}`).send({ name, password: 'pass' })).status).toBe(429)
})

test('the address that a proxy names counts only when the proxy is trusted', async () => {
  const addressBehind = async (trustedProxies: string[]) => {
    const config = { ...platform.config, trustedProxies }
    const proxied = createApp({ ...platform, config }, sessionRoutes(platform))
    await signIn(ana.name, 'correct horse', proxied).set('X-Forwarded-For', '203.0.113.9').expect(200)
    return db.selectFrom('sessions').select('address').orderBy('createdAt', 'desc').executeTakeFirstOrThrow()
  }
  expect(await addressBehind([])).toEqual({ address: '127.0.0.1' })
  expect(await addressBehind(['loopback'])).toEqual({ address: '203.0.113.9' })
})

test('the session cookie is restricted to TLS if the browser used TLS', async () => {
  const config = { ...platform.config, trustedProxies: ['loopback'] }
  const proxied = createApp({ ...platform, config }, sessionRoutes(platform))
  const response = await signIn(ana.name, 'correct horse', proxied).set('X-Forwarded-Proto', 'https').expect(200)
  expect(cookieOf(response, 'SESSION')).toContain('; Secure')
})

test('signed-in users get the address of Orchestration, if the server knows it', async () => {
  const session = await testSession(db, [])
  const urlFor = async (orchestrationUrl?: string) => {
    const knowing = { ...platform, config: { ...platform.config, orchestrationUrl } }
    const ask = asUser(createApp(knowing, sessionRoutes(knowing)), session)
    return (await ask('GET', '/api/doPublicUrl').expect(200)).body
  }
  expect(await urlFor()).toBe('')
  expect(await urlFor('https://do.example.com')).toBe('https://do.example.com')
})
