import { sql } from 'kysely'
import request from 'supertest'
import { beforeEach, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, confirmedAt, testUser } from '#server/testing.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, routesOf(platform))
const password = 'the password of admin'
const user = await testUser(db, ['ROLE_ADMIN'], password)
const other = await testUser(db, ['ROLE_ADMIN'], 'the password of another')

/** A browser of a user, which was confirmed some time ago. */
async function browser(ago = '6 minutes', id = user.id) {
  const ask = asUser(app, await openSession(db, id, '127.0.0.1'))
  await confirmedAt(db, id, sql`now() - ${ago}::interval`)
  const confirm = (given: string) => ask('POST', '/api/v1/session/confirmation', { password: given })
  return { ask, confirm }
}
const needed = { message: "Confirm that it's you, then try again", code: 'confirm' }

beforeEach(() => db.deleteFrom('failedPasswords').execute())

test('a browser that was left open grants nothing until its user confirms with the password', async () => {
  const { ask, confirm } = await browser()
  const draft = { name: other.name, roles: ['ROLE_ADMIN'] }
  await ask('POST', `/api/v1/users/${other.id}/password`).expect(403, needed)
  await ask('PUT', `/api/v1/users/${other.id}`, draft).expect(403, needed)
  await ask('POST', '/api/v1/apiTokens', { name: 'thief' }).expect(403, needed)
  await ask('POST', '/api/servers', { name: 'far' }).expect(403, needed)
  await ask('PUT', '/api/configurations', [{ name: 'spring.mail.host', value: 'x' }]).expect(403, needed)
  await ask('PUT', '/api/configurations', [{ name: 'jobRetention', value: '31' }]).expect(200)
  expect((await confirm('another').expect(400)).body.subErrors).toEqual([{ field: 'password', message: 'is wrong' }])
  expect((await confirm('').expect(400)).body.subErrors).toEqual([{ field: 'password', message: 'must not be blank' }])
  await ask('PUT', `/api/v1/users/${other.id}`, draft).expect(403, needed)
  await confirm(password).expect(204)
  await ask('PUT', `/api/v1/users/${other.id}`, draft).expect(204)
})

test('a sign-in confirms for five minutes, and other browsers of the user stay unconfirmed', async () => {
  const signedIn = await asUser(app, undefined)('POST', '/api/login', { name: user.name, password }).expect(200)
  const session = /SESSION=([^;]+)/.exec(String(signedIn.headers['set-cookie']))?.[1]
  const draft = { name: other.name, roles: ['ROLE_ADMIN'] }
  await asUser(app, session)('PUT', `/api/v1/users/${other.id}`, draft).expect(204)
  const recent = await browser('4 minutes')
  expect((await recent.ask('PUT', `/api/v1/users/${other.id}`, draft)).status).toBe(204)
  const [here, there] = [await browser(), await browser()]
  await there.confirm(password).expect(204)
  expect((await there.ask('PUT', `/api/v1/users/${other.id}`, draft)).status).toBe(204)
  expect((await here.ask('PUT', `/api/v1/users/${other.id}`, draft)).body).toEqual(needed)
})

test('a clock that was ahead for a while does not confirm a user', async () => {
  const { ask } = await browser('-40 days')
  expect((await ask('POST', `/api/v1/users/${other.id}/password`)).body).toEqual(needed)
})

test('wrong passwords are limited as failed sign-ins are, and are in the event log', async () => {
  const { ask, confirm } = await browser()
  for (let i = 0; i < 10; i++) await confirm('another').expect(400)
  expect((await confirm(password).expect(429)).body.code).toBe('too-many-sign-ins')
  await ask('GET', '/api/currentUserInfo').expect(200)
  const events = () =>
    db.selectFrom('events').select('data').where('stream', '=', `user-${user.id}`).where('type', '=', 'SignInFailed')
  await expect
    .poll(async () => (await events().execute()).map(({ data }) => data))
    .toContainEqual(expect.objectContaining({ reason: 'the password of a confirmation was wrong' }))
})

test('many confirmations at once wait in a short queue', async () => {
  const { confirm } = await browser()
  const answers = await Promise.all(Array.from({ length: 30 }, () => confirm('another')))
  const statuses = new Set(answers.map(({ status }) => status))
  expect([...statuses].every((status) => status === 400 || status === 429)).toBe(true)
  expect(answers.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(10)
})

test('API tokens cannot confirm', async () => {
  const { ask, confirm } = await browser()
  await confirm(password).expect(204)
  const { body } = await ask('POST', '/api/v1/apiTokens', { name: 'nightly', roles: ['ROLE_ADMIN'] }).expect(200)
  const answer = await request(app)
    .post('/api/v1/session/confirmation')
    .set('Authorization', `Bearer ${body.token}`)
    .send({ password })
  expect([answer.status, answer.body.code]).toEqual([403, 'browser-only'])
})

test('a user who is signed out during a call makes no token', async () => {
  const { ask } = await browser('0 minutes')
  const { made } = await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('sessions').where('userId', '=', user.id).execute()
    const made = ask('POST', '/api/v1/apiTokens', { name: 'late' }).then(({ status }) => status)
    await new Promise((resolve) => setTimeout(resolve, 500))
    return { made }
  })
  expect(await made).toBe(409)
})

test('users of single sign-on confirm by signing in again', async () => {
  const { id } = await db
    .insertInto('users')
    .values({ name: 'of the provider', roles: ['ROLE_ADMIN'], issuer: 'https://provider.example', subject: '1' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { ask, confirm } = await browser('6 minutes', id)
  await ask('POST', '/api/v1/apiTokens', { name: 'stale' }).expect(403, needed)
  expect((await confirm('').expect(403)).body.code).toBe('sign-in-again')
  const again = asUser(app, await openSession(db, id, '127.0.0.1'))
  await again('POST', '/api/v1/session/confirmation', {}).expect(204)
  await again('POST', '/api/v1/apiTokens', { name: 'fresh' }).expect(200)
})
