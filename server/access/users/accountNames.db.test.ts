import request from 'supertest'
import { beforeEach, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { hashPassword } from '#server/platform/password.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testSession, testUser } from '#server/testing.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, routesOf(platform))
let admin: ReturnType<typeof asUser>
beforeEach(async () => {
  await db.deleteFrom('users').execute()
  // There is always an administrator with a password.
  await testUser(db, ['ROLE_ADMIN'], 'the password of the owner')
  admin = asUser(app, await testSession(db, ['ROLE_ADMIN']))
})

const add = (name: string) => admin('POST', '/api/v1/users', { name, roles: [] })
const faultOf = ({ body }: request.Response) => body.subErrors?.[0]?.message
const signIn = (name: string, password: string) => asUser(app, undefined)('POST', '/api/login', { name, password })
/** An account of an earlier version, which checked no names. */
async function oldAccount(name: string, password?: string) {
  const passwordHash = password === undefined ? null : await hashPassword(password)
  const row = db.insertInto('users').values({ name, roles: [], passwordHash })
  return (await row.returning('id').executeTakeFirstOrThrow()).id
}
const newest = () => db.selectFrom('events').selectAll().orderBy('position', 'desc').limit(1).executeTakeFirstOrThrow()

test.each(['admin\r\nroot', 'ad\u200bmin', 'admin\u00ad', 'abc\u202ecba', 'a\0b'])(
  '%j is not a valid name',
  async (name) => {
    expect(faultOf(await add(name).expect(400))).toMatch(/^must not contain (control|invisible) characters$/)
  },
)

test.each([
  'system',
  'System',
  'ѕystem',
  'schedule',
  'not signed in',
  'wall lobby',
  'admin, token nightly',
  'agent-3',
  'аgent-3',
  'AGENT-l0',
  'wаll lobby',
  'wa11',
  'admin, tоken nightly',
])('%j is reserved, because the event log has it for others', async (name) =>
  expect(faultOf(await add(name).expect(400))).toBe('is reserved for the event log'),
)

test.each([
  ['ana', 'аnа'],
  ['Ivan', 'lvan'],
  ['ana', 'ａｎａ'],
  ['root', 'r00t'],
  ['admin', 'ADMІN'],
  ['admin', 'Adm1n'],
])('next to %s there is no %s, which looks the same', async (name, twin) => {
  await add(name).expect(200)
  expect(faultOf(await add(twin).expect(400))).toBe(`looks like ${name}, which already exists`)
  const { body } = await add('Bo').expect(200)
  const renamed = await admin('PUT', `/api/v1/users/${body.id}`, { name: twin, roles: [] }).expect(400)
  expect(faultOf(renamed)).toBe(`looks like ${name}, which already exists`)
})

test('composed and decomposed letters are one name, also at the sign-in', async () => {
  const { body } = await add('Jose\u0301').expect(200)
  expect(body.name).toBe('José')
  expect(faultOf(await add('José').expect(400))).toBe('should be unique, José already exists')
  await signIn('Jose\u0301', body.password).expect(200)
  await signIn('JOSÉ', body.password).expect(200)
})

test('two names that look alike are not added at the same moment', async () => {
  const answers = await Promise.all(['mira', 'mіra', 'miгa'].map(add))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
})

test('accounts of earlier versions keep their names, sign in and can be changed', async () => {
  const name = 'sys\u200btem Jose\u0301'
  const id = await oldAccount(name, 'the password of old')
  await signIn(name, 'the password of old').expect(200)
  await admin('PUT', `/api/v1/users/${id}`, { name, roles: ['ROLE_PROJECT_MANAGER'] }).expect(204)
  await admin('PUT', `/api/v1/users/${id}`, { name, roles: [], isDisabled: true }).expect(204)
  const { name: kept } = await db.selectFrom('users').select('name').where('id', '=', id).executeTakeFirstOrThrow()
  expect(kept).toBe(name)
  await oldAccount('twin')
  for (const twin of ['tw\u200bin', 'TWІN', 'tw1n']) {
    const id = await oldAccount(twin, 'the password of old')
    await signIn(twin, 'the password of old').expect(200)
    await admin('PUT', `/api/v1/users/${id}`, { name: twin, roles: ['ROLE_PROJECT_MANAGER'] }).expect(204)
  }
})

test('the event log identifies users by kind and number, with any name', async () => {
  const id = await oldAccount('system', 'the password of old')
  const answer = await signIn('system', 'the password of old').expect(200)
  expect(await newest()).toMatchObject({ type: 'SignedIn', actor: 'system', actorKind: 'user', actorId: id })
  const session = /SESSION=([^;]+)/.exec(String(answer.headers['set-cookie']))?.[1]
  const forger = asUser(app, session)
  await forger('PUT', '/api/currentUserInfo', { email: 'forger@example.com' }).expect(204)
  expect(await newest()).toMatchObject({ actor: 'system', actorKind: 'user', actorId: id })
  const { body: token } = await admin('POST', '/api/v1/apiTokens', { name: 'nightly', roles: ['ROLE_ADMIN'] }).expect(
    200,
  )
  await request(app)
    .put('/api/currentUserInfo')
    .set('Authorization', `Bearer ${token.token}`)
    .send({ email: 'script@example.com' })
    .expect(204)
  expect(await newest()).toMatchObject({ actorKind: 'token', actorId: token.id })
  const { body } = await admin('GET', '/api/v1/events?actor=system&size=1').expect(200)
  expect(body.elements[0]).toMatchObject({ actor: 'system', by: { kind: 'user', id } })
  const exported = await admin('GET', '/api/v1/events/export?actor=system').buffer(true).expect(200)
  expect(exported.text).toContain(`"by":{"kind":"user","id":${id}}`)
})

test('events of earlier versions have no kind, and are listed as before', async () => {
  await oldAccount('bo', 'the password of old')
  await signIn('bo', 'the password of old').expect(200)
  const { position } = await newest()
  await db.updateTable('events').set({ actorKind: null, actorId: null }).where('position', '=', position).execute()
  const { body } = await admin('GET', `/api/v1/events/${position}`).expect(200)
  expect([body.actor, 'by' in body]).toEqual(['bo', false])
})
