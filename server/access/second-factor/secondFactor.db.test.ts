import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import request from 'supertest'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, confirmedAt, testUser } from '#server/testing.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, routesOf(platform))
const password = 'the password of a user'
const stranger = asUser(app, undefined)
const path = '/api/v1/secondFactor'

/** The code of a secret, `later` periods from now. */
const codeOf = (secret: string, later = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + later * 30_000 })

async function newUser(held: Parameters<typeof testUser>[1] = []) {
  const user = await testUser(db, held, password)
  const session = await openSession(db, user.id, '127.0.0.1')
  const signIn = (code?: string) => stranger('POST', '/api/login', { name: user.name, password, ...(code && { code }) })
  return { ...user, session, ask: asUser(app, session), signIn }
}

/** A user whose second factor is on. Its setup used the code of the previous 30 seconds, so the current one is free. */
async function userWithFactor(held: Parameters<typeof testUser>[1] = []) {
  const user = await newUser(held)
  const { secret } = (await user.ask('POST', path).expect(200)).body
  const { recoveryCodes } = (await user.ask('PUT', path, { code: codeOf(secret, -1) }).expect(200)).body
  return { ...user, secret: secret as string, recoveryCodes: recoveryCodes as string[] }
}

const factsOf = async (id: number) =>
  (await db.selectFrom('events').select('type').where('stream', '=', `user-${id}`).orderBy('version').execute()).map(
    ({ type }) => type,
  )

beforeEach(() => db.deleteFrom('failedPasswords').execute())
afterEach(() => db.deleteFrom('configurations').where('name', '=', 'secondFactorRequiredFor').execute())

test('with a second factor a password alone does not sign in', async () => {
  const { signIn, secret, id } = await userWithFactor()
  expect((await signIn().expect(401)).body).toEqual({
    message: 'Enter the code of your authenticator app',
    code: 'second-factor',
  })
  const wrong = { message: 'The code is wrong or was used already. Wait for the next one.', code: 'wrong-code' }
  expect((await signIn(codeOf(secret, 5)).expect(401)).body).toEqual(wrong)
  expect((await signIn('not-a-code').expect(401)).body).toEqual(wrong)
  const answer = await signIn(codeOf(secret).replace(/(...)/, '$1 ')).expect(200)
  expect(answer.body).toMatchObject({ hasSecondFactor: true, mustSetUpSecondFactor: false })
  expect(await factsOf(id)).toContain('SecondFactorTurnedOn')
})

test('a code that was seen by others is accepted once', async () => {
  const { signIn, secret } = await userWithFactor()
  const code = codeOf(secret)
  const answers = await Promise.all([signIn(code), signIn(code), signIn(code)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  expect((await signIn(codeOf(secret, -1))).status).toBe(401)
})

test('a recovery code signs in once, in any notation, and is in the event log', async () => {
  const { signIn, recoveryCodes, id, ask } = await userWithFactor()
  const [first = '', second = ''] = recoveryCodes
  expect(new Set(recoveryCodes).size).toBe(10)
  await signIn(first.toUpperCase().replaceAll('-', ' ')).expect(200)
  await signIn(first).expect(401)
  expect(await factsOf(id)).toContain('RecoveryCodeUsed')
  expect((await ask('GET', path).expect(200)).body).toMatchObject({ isOn: true, recoveryCodes: 9 })
  const renewed = (await ask('POST', `${path}/recoveryCodes`).expect(200)).body.recoveryCodes as string[]
  await signIn(second).expect(401)
  await signIn(renewed[0]).expect(200)
})

test('codes are guessed ten times at most, and a browser that signed in before is not kept out', async () => {
  const { signIn, secret, name } = await userWithFactor()
  const known = (await signIn(codeOf(secret)).expect(200)).headers['set-cookie']
  for (let i = 0; i < 10; i++) await signIn('000000').expect(401)
  expect((await signIn(codeOf(secret, 1)).expect(429)).body.code).toBe('too-many-sign-ins')
  const info = await request(app).get('/api/loginInfo')
  const cookies = [...String(known).matchAll(/(?:^|,)([^=;,]+=[^;]+);/g)].map(([, pair]) => pair)
  const csrf = /XSRF-TOKEN=([^;]+)/.exec(String(info.headers['set-cookie']))?.[1] ?? ''
  const answer = await request(app)
    .post('/api/login')
    .set('Cookie', [...cookies, `XSRF-TOKEN=${csrf}`].join('; '))
    .set('X-XSRF-TOKEN', csrf)
    .send({ name, password, code: codeOf(secret, 1) })
  expect(answer.status).toBe(200)
})

test('a wrong password is refused before a code is requested', async () => {
  const { name } = await userWithFactor()
  const { body } = await stranger('POST', '/api/login', { name, password: 'another', code: '123456' }).expect(401)
  expect(body.code).toBe('wrong-credentials')
})

test('it is on once a code of the app was entered, and then other browsers of the user are signed out', async () => {
  const { ask, id, signIn } = await newUser()
  const other = asUser(app, await openSession(db, id, '127.0.0.1'))
  const first = (await ask('POST', path).expect(200)).body
  expect(first.address).toMatch(/^otpauth:\/\/totp\/DataIntell:.+secret=[A-Z2-7]{32}&/)
  const { secret } = (await ask('POST', path).expect(200)).body
  expect(secret).not.toBe(first.secret)
  await signIn().expect(200)
  for (const code of [codeOf(first.secret), codeOf(secret, 5), '12345', 'abcdef'])
    expect((await ask('PUT', path, { code }).expect(400)).body.subErrors[0].field).toBe('code')
  await other('GET', '/api/currentUserInfo').expect(200)
  await ask('PUT', path, { code: codeOf(secret) }).expect(200)
  await other('GET', '/api/currentUserInfo').expect(401)
  await ask('GET', '/api/currentUserInfo').expect(200)
  expect((await ask('POST', path).expect(409)).body.message).toBe(
    'Your second factor is on already. Turn it off first.',
  )
  await ask('PUT', path, { code: codeOf(secret, 1) }).expect(409)
  const { secret: stored } = await db
    .selectFrom('secondFactors')
    .select('secret')
    .where('userId', '=', id)
    .executeTakeFirstOrThrow()
  expect(stored).not.toContain(secret)
})

test('a confirmation needs the code too', async () => {
  const { ask, id, secret } = await userWithFactor(['ROLE_ADMIN'])
  await confirmedAt(db, id, sql`now() - interval '6 minutes'`)
  const confirm = (body: object) => ask('POST', '/api/v1/session/confirmation', body)
  const fault = async (body: object) => (await confirm(body).expect(400)).body.subErrors
  await ask('DELETE', path).expect(403)
  expect(await fault({ password })).toEqual([{ field: 'code', message: 'must not be blank' }])
  expect(await fault({ password, code: '000000' })).toEqual([
    { field: 'code', message: 'is wrong or was used already. Wait for the next one.' },
  ])
  expect(await fault({ password: 'another', code: codeOf(secret) })).toEqual([
    { field: 'password', message: 'is wrong' },
  ])
  await confirm({ password, code: codeOf(secret) }).expect(204)
  await ask('DELETE', path).expect(204)
  await ask('DELETE', path).expect(409)
  await ask('POST', `${path}/recoveryCodes`).expect(409)
})

test('a required second factor is set up before anything else', async () => {
  const admin = await newUser(['ROLE_ADMIN'])
  const user = await newUser()
  const needFactor = (value: string) =>
    admin.ask('PUT', '/api/configurations', [{ name: 'secondFactorRequiredFor', value }])
  expect((await needFactor('some').expect(400)).body.subErrors[0].message).toContain('nobody, administrators, everyone')
  await needFactor('administrators').expect(200)
  await user.ask('GET', '/api/administration/dates').expect(200)
  expect((await admin.ask('GET', '/api/administration/dates').expect(403)).body).toEqual({
    message: 'Set up a second factor first',
    code: 'needs-second-factor',
  })
  expect((await admin.ask('GET', '/api/currentUserInfo').expect(200)).body.mustSetUpSecondFactor).toBe(true)
  const { secret } = (await admin.ask('POST', path).expect(200)).body
  await admin.ask('PUT', path, { code: codeOf(secret) }).expect(200)
  await admin.ask('GET', '/api/administration/dates').expect(200)
  expect((await admin.ask('GET', path).expect(200)).body).toMatchObject({ isOn: true, isRequired: true })
  expect((await admin.ask('DELETE', path).expect(409)).body.message).toBe('An administrator requires a second factor')
  await needFactor('everyone').expect(200)
  await user.ask('GET', '/api/administration/dates').expect(403)
  await needFactor('nobody').expect(200)
  await user.ask('GET', '/api/administration/dates').expect(200)
})

test('a required second factor does not stop API tokens or accounts of single sign-on', async () => {
  const { ask } = await userWithFactor(['ROLE_ADMIN'])
  const { body } = await ask('POST', '/api/v1/apiTokens', { name: 'nightly second', roles: ['ROLE_ADMIN'] }).expect(200)
  await ask('PUT', '/api/configurations', [{ name: 'secondFactorRequiredFor', value: 'everyone' }]).expect(200)
  const byToken = await request(app).get('/api/administration/dates').set('Authorization', `Bearer ${body.token}`)
  expect(byToken.status).toBe(200)
  const { id } = await db
    .insertInto('users')
    .values({ name: 'of a provider', roles: [], issuer: 'https://provider.example', subject: '7' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const provided = asUser(app, await openSession(db, id, '127.0.0.1'))
  await provided('GET', '/api/administration/dates').expect(200)
  await provided('POST', path).expect(409)
})

test('an administrator removes the second factor of a user who lost it, and their sessions end', async () => {
  const admin = await newUser(['ROLE_ADMIN'])
  const user = await userWithFactor()
  const listed = async () =>
    (await admin.ask('GET', '/api/v1/users').expect(200)).body.elements.find(
      (row: { id: number }) => row.id === user.id,
    )
  expect(await listed()).toMatchObject({ hasSecondFactor: true })
  await user.ask('DELETE', `/api/v1/users/${user.id}/secondFactor`).expect(403)
  await admin.ask('DELETE', `/api/v1/users/${user.id}/secondFactor`).expect(204)
  await admin.ask('DELETE', `/api/v1/users/${user.id}/secondFactor`).expect(409)
  await user.ask('GET', '/api/currentUserInfo').expect(401)
  await user.signIn().expect(200)
  expect(await listed()).toMatchObject({ hasSecondFactor: false })
  expect(await factsOf(user.id)).toContain('SecondFactorRemoved')
})

test('a secret that this server cannot open is reported, and recovery codes still work', async () => {
  const { signIn, secret, recoveryCodes, id } = await userWithFactor()
  await db.updateTable('secondFactors').set({ secret: 'v1.another.AAAA.AAAA' }).where('userId', '=', id).execute()
  expect((await signIn(codeOf(secret)).expect(409)).body.message).toContain('The second factor cannot be opened')
  await signIn(recoveryCodes[0]).expect(200)
})
