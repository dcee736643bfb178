import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { sql } from 'kysely'
import request from 'supertest'
import { beforeEach, expect, test } from 'vitest'
import { sessionLimits } from '#events/users/sessions.ts'
import { singleSignOnPaths } from '#events/users/singleSignOn.ts'
import { startLive } from '#server/messages/live/index.ts'
import { closeCodes } from '#server/messages/live/liveClient.ts'
import { look } from '#server/messages/live/testing.ts'
import { sessionRoutes } from '#server/access/session/index.ts'
import { asUser } from '#server/testing.ts'
import { person } from './testing/person.ts'
import { testProduct } from './testing/testProduct.ts'

const { db, place, address, provider, withProvider, app, isScreen } = await testProduct('', sessionRoutes)

async function arrive(subject: string) {
  const browser = person()
  await browser.signIn(`${address}${singleSignOnPaths.signIn}`, subject, isScreen)
  const session = browser.cookie(place.host, 'SESSION') ?? ''
  const status = async () => (await asUser(app, session)('GET', '/api/currentUserInfo')).status
  return { browser, session, status }
}

/** The ID of the newest session at the provider. */
const newestSid = async () =>
  (await db.selectFrom('sessions').select('providerSession').orderBy('id', 'desc').executeTakeFirstOrThrow())
    .providerSession

const event = 'http://schemas.openid.net/event/backchannel-logout'
let tokens = 0
const claims = (changes: JWTPayload): JWTPayload => {
  const now = Math.floor(Date.now() / 1_000)
  return {
    iss: provider.issuer,
    aud: 'dataintell',
    iat: now,
    exp: now + 120,
    jti: `token ${(tokens += 1)}`,
    events: { [event]: {} },
    ...changes,
  }
}
const send = (token?: string) => {
  const posted = request(app).post(singleSignOnPaths.backChannelLogout).type('form')
  return token === undefined ? posted : posted.send({ logout_token: token })
}
const signOut = async (changes: JWTPayload) => send(await provider.sign(claims(changes)))

beforeEach(() => db.deleteFrom('sessions').execute())

test('signing out at the provider ends the session of that browser alone', async () => {
  provider.know('1', { preferred_username: 'ana' })
  const [one, other] = [await arrive('1'), await arrive('1')]
  const question = await one.browser.follow(`${address}${singleSignOnPaths.signOut}`)
  const [, action = ''] = /action="([^"]+)"/.exec(question.text) ?? []
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(question.text) ?? []
  await one.browser.request(new URL(action, question.at).href, { xsrf, logout: 'yes' })
  await expect.poll(one.status).toBe(401)
  expect(await other.status()).toBe(200)
  const ended = await db
    .selectFrom('events')
    .select(['actor', 'actorKind'])
    .where('type', '=', 'SignedOut')
    .orderBy('position', 'desc')
    .execute()
  expect(ended[0]).toEqual({ actor: 'ana', actorKind: 'provider' })
})

test('a token without a session ends all sessions of its user, and their sockets', async () => {
  provider.know('2', { preferred_username: 'bo' })
  provider.know('3', { preferred_username: 'cy' })
  const [one, two, other] = [await arrive('2'), await arrive('2'), await arrive('3')]
  const live = await startLive(withProvider, place.http)
  const [browser, stranger] = [one, other].map(({ session }) => look(place.host, { session }))
  await Promise.all([browser?.opened(), stranger?.opened()])
  const closed = browser?.closed()
  const answer = await signOut({ sub: '2' })
  expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-store'])
  expect([await one.status(), await two.status(), await other.status()]).toEqual([401, 401, 200])
  expect(await closed).toBe(closeCodes.sessionEnded)
  expect(stranger?.socket.readyState).toBe(stranger?.socket.OPEN)
  await live.stop()
})

test('a token ends the session that it names, with or without its user, and sessions of the user without a name', async () => {
  provider.know('4', { preferred_username: 'di' })
  const one = await arrive('4')
  const sid = await newestSid()
  expect(sid).toMatch(/./)
  const [two, unnamed] = [await arrive('4'), await arrive('4')]
  await db
    .updateTable('sessions')
    .set({ providerSession: null })
    .where('providerSession', '=', await newestSid())
    .execute()
  await signOut({ sid: 'another' }).then(({ status }) => expect(status).toBe(200))
  await signOut({ sid, sub: 'another' })
  expect([await one.status(), await two.status(), await unnamed.status()]).toEqual([200, 200, 200])
  await signOut({ sid })
  expect([await one.status(), await two.status(), await unnamed.status()]).toEqual([401, 200, 200])
  await signOut({ sid, sub: '4' })
  expect([await two.status(), await unnamed.status()]).toEqual([200, 401])
})

test('a token counts once, because its user may have signed in again', async () => {
  provider.know('5', { preferred_username: 'eva' })
  const token = await provider.sign(claims({ sub: '5' }))
  await send(token).expect(200)
  const { status } = await arrive('5')
  const again = await send(token).expect(400)
  expect(again.body).toEqual({
    error: 'invalid_request',
    error_description: 'This logout token was used before',
  })
  expect(await status()).toBe(200)
})

test('a token whose sign-out failed counts when it is sent again', async () => {
  provider.know('10', { preferred_username: 'jo' })
  const { status } = await arrive('10')
  const token = await provider.sign(claims({ sub: '10' }))
  await sql`CREATE FUNCTION refuse_all() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE EXCEPTION ''the disk is full, at /var/lib''; END'`.execute(db)
  await sql`CREATE TRIGGER refuse BEFORE DELETE ON sessions EXECUTE FUNCTION refuse_all()`.execute(db)
  const failed = await send(token)
  await sql`DROP FUNCTION refuse_all CASCADE`.execute(db)
  expect([failed.status, failed.body.error_description]).toEqual([400, 'The sign-out failed. Try again.'])
  expect(await status()).toBe(200)
  await send(token).expect(200)
  expect(await status()).toBe(401)
})

const now = () => Math.floor(Date.now() / 1_000)
test.each([
  ['of another issuer', { iss: 'https://elsewhere.example' }],
  ['for another product', { aud: 'another' }],
  ['without an audience', { aud: undefined }],
  ['that expired', { exp: now() - 120 }],
  ['of ten minutes ago', { iat: now() - 600, exp: undefined }],
  ['of the future', { iat: now() + 600 }],
  ['without a time', { iat: undefined }],
  ['without an ID', { jti: undefined }],
  ['without the event', { events: undefined }],
  ['of another event', { events: { 'http://schemas.openid.net/event/other': {} } }],
  ['whose event is no object', { events: { [event]: 'yes' } }],
  ['with a nonce, as an ID token', { nonce: 'n' }],
  ['without a user or session', { sub: undefined }],
])('a token %s is refused and ends nothing', async (_, changes) => {
  provider.know('6', { preferred_username: 'flo' })
  const { status } = await arrive('6')
  const answer = await signOut({ sub: '6', ...changes } as JWTPayload)
  expect([answer.status, answer.headers['cache-control']]).toEqual([400, 'no-store'])
  expect(answer.body).toMatchObject({ error: 'invalid_request', error_description: expect.stringMatching(/./) })
  expect(await status()).toBe(200)
})

test('a token with the signature of another, or without one, is refused', async () => {
  provider.know('7', { preferred_username: 'gus' })
  const { status } = await arrive('7')
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const forged = new SignJWT(claims({ sub: '7' })).setProtectedHeader({ alg: 'RS256' })
  const { n = '' } = await exportJWK(privateKey)
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  for (const token of [
    await forged.sign(privateKey),
    `${encoded({ alg: 'none' })}.${encoded(claims({ sub: '7' }))}.`,
    await new SignJWT(claims({ sub: '7' })).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(n, 'base64url')),
    await new SignJWT(claims({ sub: '7' }))
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from('a secret of the tests, 32 bytes!')),
    'no token',
    '',
    undefined,
  ])
    expect((await send(token)).status).toBe(400)
  await request(app).get(singleSignOnPaths.backChannelLogout).expect(404)
  expect(await status()).toBe(200)
})

/** Seconds from the start of the newest session until it ends. */
const lifetime = async () =>
  (
    await db
      .selectFrom('sessions')
      .select(sql<number>`round(extract(epoch FROM expires_at - created_at))::int`.as('seconds'))
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  ).seconds

test('a session whose provider issues no refresh token ends after an hour, also while it is used', async () => {
  provider.know('8', { preferred_username: 'hal', noRefresh: true })
  const { status } = await arrive('8')
  const limit = sessionLimits.providerHours * 3_600
  expect(await lifetime()).toBe(limit)
  const minutesLater = (minutes: number) =>
    db
      .updateTable('sessions')
      .set({
        createdAt: sql<Date>`now() - make_interval(mins => ${minutes})`,
        lastSeenAt: sql<Date>`now() - interval '2 minutes'`,
      })
      .execute()
  await minutesLater(59)
  expect(await status()).toBe(200)
  expect(await lifetime()).toBe(limit)
  await minutesLater(61)
  // This call ends it, because its end was earlier than its age allows.
  await status()
  expect(await status()).toBe(401)
  provider.know('9', { preferred_username: 'ida' })
  await arrive('9')
  expect(await lifetime()).toBeGreaterThan(limit)
})
