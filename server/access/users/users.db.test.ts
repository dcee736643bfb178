import request from 'supertest'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Role } from '#events/contract/needs.ts'
import { createApp } from '#server/app.ts'
import { startLive } from '#server/messages/live/index.ts'
import { closeCodes } from '#server/messages/live/liveClient.ts'
import { listen, look } from '#server/messages/live/testing.ts'
import { hashPassword } from '#server/platform/password.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testUser } from '#server/testing.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, routesOf(platform))

/** An administrator with a password, as there always is one. */
async function signedIn(roles: Role[], password?: string) {
  const user = await testUser(db, roles, password)
  const session = await openSession(db, user.id, '127.0.0.1')
  return { ...user, session, ask: asUser(app, session) }
}
let admin: Awaited<ReturnType<typeof signedIn>>
beforeEach(async () => {
  await db.deleteFrom('users').execute()
  await db.deleteFrom('failedPasswords').execute()
  admin = await signedIn(['ROLE_ADMIN'], 'the password of admin')
})

const edited = (name: string, changes: object = {}) => ({ name, roles: ['ROLE_PROJECT_MANAGER'], ...changes })
const newUser = async (name: string, changes: object = {}) =>
  (await admin.ask('POST', '/api/v1/users', edited(name, changes)).expect(200)).body
const listed = async () => (await admin.ask('GET', '/api/v1/users').expect(200)).body.elements
const signIn = (name: string, password: string) => asUser(app, undefined)('POST', '/api/login', { name, password })
const sessionOf = ({ headers }: request.Response) => /SESSION=([^;]+)/.exec(String(headers['set-cookie']))?.[1] ?? ''
const eventsOf = async (id: number) =>
  (await db.selectFrom('events').select('type').where('stream', '=', `user-${id}`).orderBy('version').execute()).map(
    ({ type }) => type,
  )

test('a new user signs in with a one-time password, and may do nothing before choosing their own', async () => {
  const { id, name, password } = await newUser('Ana', { email: 'ana@example.com' })
  expect(password).toMatch(/^\w{20}$/)
  const first = await signIn('ANA', password).expect(200)
  expect(first.body).toMatchObject({ name, mustChangePassword: true, roles: [{ authority: 'ROLE_PROJECT_MANAGER' }] })
  const ana = asUser(app, sessionOf(first))
  const refused = { message: 'Choose your own password first', code: 'one-time-password' }
  await ana('GET', '/api/v1/dashboard').expect(403, refused)
  await ana('GET', '/api/v1/users').expect(403, refused)
  const short = await ana('PUT', '/api/currentUserInfo/password', { newPassword: 'short' }).expect(400)
  expect(short.body.subErrors).toEqual([{ field: 'newPassword', message: 'must have at least 12 characters' }])
  await ana('PUT', '/api/currentUserInfo/password', { newPassword: password }).expect(400)
  const known = await ana('PUT', '/api/currentUserInfo/password', { newPassword: 'Password1234' }).expect(400)
  expect(known.body.subErrors).toEqual([{ field: 'newPassword', message: 'must not be a commonly used password' }])
  await ana('PUT', '/api/currentUserInfo/password', { newPassword: 'AnaAnaAnaAna' }).expect(400)
  await ana('PUT', '/api/currentUserInfo/password', { newPassword: 'a password of my own' }).expect(204)
  await ana('GET', '/api/v1/dashboard').expect(200)
  await ana('GET', '/api/v1/users').expect(403)
  await signIn('Ana', password).expect(401)
  await signIn('Ana', 'a password of my own').expect(200)
  await expect.poll(() => eventsOf(id)).toEqual(['Created', 'PasswordChanged', 'SignInFailed'])
})

test('users are listed without anything of their passwords, and no event holds one', async () => {
  const { id, password } = await newUser('Ana', { email: 'ana@example.com' })
  const elements = await listed()
  expect(elements[0]).toEqual({
    id,
    name: 'Ana',
    email: 'ana@example.com',
    roles: ['ROLE_PROJECT_MANAGER'],
    isDisabled: false,
    isOfProvider: false,
    hasOneTimePassword: true,
    hasSecondFactor: false,
    createdAt: expect.stringMatching(/Z$/),
    lastSignInAt: null,
  })
  const events = JSON.stringify(await db.selectFrom('events').selectAll().execute())
  expect(events).not.toContain(password)
  expect(events).not.toContain('scrypt')
})

test('a name is used once, in any case, and a wrong draft changes nothing', async () => {
  const { id } = await newUser('Ana')
  const twice = await admin.ask('POST', '/api/v1/users', edited(' ana ')).expect(400)
  expect(twice.body.subErrors).toEqual([{ field: 'name', message: 'should be unique, ana already exists' }])
  await admin.ask('POST', '/api/v1/users', edited('Bo', { email: 'nobody' })).expect(400)
  await admin.ask('POST', '/api/v1/users', edited('Bo', { roles: ['ROLE_BOSS'] })).expect(400)
  await admin.ask('PUT', `/api/v1/users/${id}`, edited(admin.name)).expect(400)
  expect((await listed()).map(({ name }: { name: string }) => name)).toEqual(['Ana', admin.name])
})

test('roles that are taken away count from the next call on', async () => {
  const { id, ask } = await signedIn(['ROLE_ADMIN'])
  await ask('GET', '/api/v1/users').expect(200)
  await admin.ask('PUT', `/api/v1/users/${id}`, { name: 'Bo', roles: [] }).expect(204)
  await ask('GET', '/api/v1/users').expect(403)
  expect(await eventsOf(id)).toEqual(['Changed'])
  await admin.ask('PUT', `/api/v1/users/${id}`, { name: 'Bo', roles: [] }).expect(204)
  expect(await eventsOf(id)).toEqual(['Changed'])
})

test('disabling ends sessions, tokens and sockets, and keeps the user out until they are enabled', async () => {
  const place = await listen()
  const live = await startLive(platform, place.http)
  onTestFinished(async () => {
    await live.stop()
    await place.close()
  })
  const bo = await signedIn(['ROLE_ADMIN'], 'the password of bo')
  const wanted = { name: 'nightly', roles: ['ROLE_ADMIN'] }
  const { body } = await bo.ask('POST', '/api/v1/apiTokens', wanted).expect(200)
  const script = () => request(app).get('/api/v1/users').set('Authorization', `Bearer ${body.token}`)
  await script().expect(200)
  const socket = look(place.host, { session: bo.session })
  await socket.opened()
  const closed = socket.closed()
  const change = (isDisabled: boolean) =>
    admin.ask('PUT', `/api/v1/users/${bo.id}`, { name: bo.name, roles: ['ROLE_ADMIN'], isDisabled }).expect(204)
  const newcomer = await newUser('newcomer')
  const notYet = sessionOf(await signIn('newcomer', newcomer.password).expect(200))
  expect(await look(place.host, { session: notYet }).refused()).toBe(401)
  await change(true)
  await bo.ask('GET', '/api/currentUserInfo').expect(401)
  const disabled = { message: 'The owner of this API token is disabled', code: 'token' }
  await script().expect(401, disabled)
  const tokens = async () => (await admin.ask('GET', '/api/v1/apiTokens').expect(200)).body.elements
  expect(await tokens()).toMatchObject([{ name: 'nightly', isOwnerDisabled: true }])
  const refused = await signIn(bo.name, 'the password of bo').expect(401)
  expect(refused.body.message).toBe('Your account is disabled. Ask an administrator.')
  expect((await signIn(bo.name, 'wrong').expect(401)).body.code).toBe('wrong-credentials')
  expect(await closed).toBe(closeCodes.sessionEnded)
  await change(false)
  await bo.ask('GET', '/api/currentUserInfo').expect(401)
  await signIn(bo.name, 'the password of bo').expect(200)
  await script().expect(200)
  expect(await tokens()).toMatchObject([{ name: 'nightly', isOwnerDisabled: false }])
})

const tokenOf = async ({ ask }: typeof admin, roles: Role[]) => {
  const { body } = await ask('POST', '/api/v1/apiTokens', { name: 'nightly', roles })
  return (path: string) => request(app).get(path).set('Authorization', `Bearer ${body.token}`)
}

test('a token does not choose the password of its owner, who is to choose it', async () => {
  const bo = await signedIn(['ROLE_ADMIN'], 'the password of bo')
  const { body } = await bo.ask('POST', '/api/v1/apiTokens', { name: 'nightly' }).expect(200)
  await db.updateTable('users').set({ hasOneTimePassword: true }).where('id', '=', bo.id).execute()
  const script = request(app).put('/api/currentUserInfo/password').set('Authorization', `Bearer ${body.token}`)
  const refused = await script.send({ newPassword: 'an own one of a thief' }).expect(403)
  expect(refused.body.code).toBe('browser-only')
})

test('a reset ends the API tokens of the account, and the event log says which', async () => {
  const bo = await signedIn(['ROLE_ADMIN'], 'the password of bo')
  const script = await tokenOf(bo, ['ROLE_ADMIN'])
  await script('/api/v1/users').expect(200)
  await admin.ask('POST', `/api/v1/users/${bo.id}/password`).expect(200)
  await script('/api/v1/users').expect(401)
  expect((await admin.ask('GET', '/api/v1/apiTokens').expect(200)).body.elements).toEqual([])
  const removed = await db
    .selectFrom('events')
    .select('actor')
    .where('stream', 'like', 'api-token-%')
    .where('type', '=', 'Removed')
    .execute()
  expect(removed).toEqual([{ actor: admin.name }])
})

test('roles that are taken away end the API tokens of the account, and roles that are given do not', async () => {
  const bo = await signedIn(['ROLE_ADMIN'], 'the password of bo')
  const script = await tokenOf(bo, [])
  const give = (roles: Role[]) => admin.ask('PUT', `/api/v1/users/${bo.id}`, { name: bo.name, roles }).expect(204)
  await give(['ROLE_ADMIN', 'ROLE_PROJECT_MANAGER'])
  await script('/api/v1/dashboard').expect(200)
  await give(['ROLE_PROJECT_MANAGER'])
  expect((await script('/api/v1/dashboard')).status).toBe(401)
  await bo.ask('GET', '/api/v1/dashboard').expect(200)
})

test('a reset shows a one-time password once and ends the sessions', async () => {
  const bo = await signedIn([], 'the password of bo')
  const { body } = await admin.ask('POST', `/api/v1/users/${bo.id}/password`).expect(200)
  await bo.ask('GET', '/api/currentUserInfo').expect(401)
  await signIn(bo.name, 'the password of bo').expect(401)
  expect((await signIn(bo.name, body.password).expect(200)).body.mustChangePassword).toBe(true)
  await expect.poll(() => eventsOf(bo.id)).toEqual(['PasswordReset', 'SignInFailed'])
})

test('the last enabled administrator with a password is not locked out, by any change', async () => {
  await signedIn(['ROLE_ADMIN'])
  const user = {
    issuer: 'https://provider.example',
    subject: '1',
    name: 'of the provider',
    roles: ['ROLE_ADMIN' as const],
  }
  await db.insertInto('users').values(user).execute()
  const message = 'At least one enabled administrator must have a password. Create another one first.'
  for (const change of [{ roles: [] }, { roles: ['ROLE_ADMIN'], isDisabled: true }]) {
    const body = { name: admin.name, ...change }
    await admin.ask('PUT', `/api/v1/users/${admin.id}`, body).expect(409, { message, code: 'last-administrator' })
  }
  const other = await signedIn(['ROLE_ADMIN'], 'the password of another')
  await admin.ask('DELETE', `/api/v1/users/${admin.id}`).expect(409, { message: 'You cannot delete your own account' })
  await admin.ask('DELETE', `/api/v1/users/${other.id}`).expect(204)
  await other.ask('GET', '/api/currentUserInfo').expect(401)
  expect((await listed()).map(({ name }: { name: string }) => name)).toContain(admin.name)
})

test('of two administrators who disable each other one stays', async () => {
  const other = await signedIn(['ROLE_ADMIN'], 'the password of another')
  const disable = (by: typeof admin, whom: typeof admin) =>
    by.ask('PUT', `/api/v1/users/${whom.id}`, { name: whom.name, roles: ['ROLE_ADMIN'], isDisabled: true })
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all([disable(admin, other), disable(other, admin)])
    expect(answers.filter(({ status }) => status === 204).length).toBeLessThan(2)
    const { enabled } = await db
      .selectFrom('users')
      .select(({ fn }) => fn.countAll<number>().as('enabled'))
      .where('disabledAt', 'is', null)
      .executeTakeFirstOrThrow()
    expect(enabled).toBeGreaterThan(0)
    await db.updateTable('users').set({ disabledAt: null }).execute()
    for (const user of [admin, other]) {
      user.session = await openSession(db, user.id, '127.0.0.1')
      user.ask = asUser(app, user.session)
    }
  }
})

test('one changes the own password with the one before, which ends the other browsers', async () => {
  const bo = await signedIn([], 'the password of bo')
  const elsewhere = asUser(app, await openSession(db, bo.id, '127.0.0.1'))
  const change = (currentPassword: string, newPassword: string) =>
    bo.ask('PUT', '/api/currentUserInfo/password', { currentPassword, newPassword })
  const { body } = await change('wrong', 'another password').expect(400)
  expect(body.subErrors).toEqual([{ field: 'currentPassword', message: 'is wrong' }])
  await change('the password of bo', 'another password').expect(204)
  await elsewhere('GET', '/api/currentUserInfo').expect(401)
  await bo.ask('GET', '/api/currentUserInfo').expect(200)
  await signIn(bo.name, 'another password').expect(200)
  await db
    .updateTable('users')
    .set({ passwordHash: await hashPassword('x') })
    .where('id', '=', bo.id)
    .execute()
})

test('guessing the own password from a browser that was left open ends after a few times', async () => {
  const guess = () =>
    admin.ask('PUT', '/api/currentUserInfo/password', { currentPassword: 'x', newPassword: 'an own long password' })
  for (let i = 0; i < 10; i++) await guess().expect(400)
  expect((await guess()).body.code).toBe('too-many-sign-ins')
  await signIn(admin.name, 'the password of admin').expect(200)
})

test('requests without a session keep no one from changing their password', async () => {
  const path = '/api/currentUserInfo/password'
  const body = { currentPassword: 'x', newPassword: 'an own long password' }
  for (let i = 0; i < 20; i++) {
    await request(app).put(path).send(body).expect(401)
    await asUser(app, 'made-up')('PUT', path, body).expect(401)
    await request(app).put(path).set('Cookie', `SESSION=${admin.session}`).send(body).expect(403)
  }
  expect(await db.selectFrom('failedPasswords').selectAll().execute()).toEqual([])
  await admin.ask('PUT', path, { ...body, currentPassword: 'the password of admin' }).expect(204)
})
