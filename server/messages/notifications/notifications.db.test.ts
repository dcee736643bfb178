import { beforeAll, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { failTask } from '#server/workers/jobs/index.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { testMailServer } from '#server/platform/testing/mailServer.ts'
import { sessionRoutes } from '#server/access/session/index.ts'
import { asUser, testUser } from '#server/testing.ts'
import { notificationRoutes, sealWebhooks, startNotifications } from './index.ts'
import { sendDue } from './sendDue.ts'
import { beginScan, change, endedAt, testReceiver, useMailServer } from './testing.ts'

const sent: unknown[] = []
const platform = { ...(await testPlatform()), live: (event: unknown) => void sent.push(event) }
const { db } = platform
const app = createApp(platform, [...notificationRoutes(platform), ...sessionRoutes(platform)])
const path = '/api/v1/notifications'
const signedIn = async (roles: Parameters<typeof testUser>[1]) => {
  const user = await testUser(db, roles)
  return { ...user, ask: asUser(app, await openSession(db, user.id, '127.0.0.1')) }
}
const ana = await signedIn(['ROLE_ADMIN'])
const bob = await signedIn([])
const listOf = async ({ ask }: typeof ana) => (await ask('GET', path).expect(200)).body.elements
const events = (stream: string) =>
  db.selectFrom('events').selectAll().where('stream', '=', stream).orderBy('version').execute()
const draft = { type: 'SCAN_ON_PREMISES', status: 'ON_ERROR', email: true, webhook: null, webhookFormat: 'AUTO' }

let id = 0
beforeAll(async () => {
  id = (await ana.ask('POST', path, draft).expect(200)).body.id
})

test('each user has their own, and cannot see others', async () => {
  expect(await listOf(ana)).toEqual([
    { ...draft, channelIds: [], webhookTemplate: null, id, lastDelivery: null, isWebhookLost: false },
  ])
  expect(await listOf(bob)).toEqual([])
  for (const [method, body] of [
    ['PUT', draft],
    ['DELETE', undefined],
  ] as const) {
    const { body: answer } = await bob.ask(method, `${path}/${id}`, body).expect(404)
    expect(answer.message).toBe(`There is no job notification ${id}`)
  }
  expect(await listOf(ana)).toHaveLength(1)
})

test('without further options a notification is always sent by mail', async () => {
  const made = await bob.ask('POST', path, { type: 'GENERATE_REPORT' }).expect(200)
  expect(await listOf(bob)).toEqual([
    {
      id: made.body.id,
      type: 'GENERATE_REPORT',
      status: 'ALWAYS',
      email: true,
      channelIds: [],
      webhook: null,
      webhookFormat: 'AUTO',
      webhookTemplate: null,
      lastDelivery: null,
      isWebhookLost: false,
    },
  ])
  sent.length = 0
  await bob.ask('DELETE', `${path}/${made.body.id}`).expect(204)
  expect(await listOf(bob)).toEqual([])
  expect(sent).toEqual([{ type: 'changed', topics: ['notifications'] }])
})

test('a change is recorded with its before and after, and a webhook without what may be a password', async () => {
  const changed = {
    ...draft,
    email: false,
    webhook: 'https://hooks.example.com/services/T0/planted-secret?key=planted-secret',
  }
  await ana.ask('PUT', `${path}/${id}`, changed).expect(204)
  expect(await listOf(ana)).toMatchObject([changed])
  const recorded = (await events(`notification-${id}`)).map(({ actor, data }) => [actor, data])
  expect(recorded).toMatchObject([
    [ana.name, { type: 'Created', after: draft }],
    [ana.name, { type: 'Changed', before: draft, after: { email: false, webhook: 'https://hooks.example.com/…' } }],
  ])
  expect(JSON.stringify(recorded)).not.toContain('planted-secret')
})

test('the address of a webhook is sealed in every place, and the mails next to it are not touched', async () => {
  const address = 'https://hooks.example.com/services/planted-secret'
  await ana.ask('PUT', `${path}/${id}`, { ...draft, webhook: address }).expect(204)
  const row = { userId: ana.id, notificationId: id, position: 1, subject: 'Subject', body: '{}' }
  const kept = () =>
    Promise.all((['notifications', 'deliveries'] as const).map((table) => db.selectFrom(table).selectAll().execute()))
  expect(JSON.stringify(await kept())).not.toContain('planted')
  // As written by a previous version.
  await db.updateTable('notifications').set({ webhook: 'HTTPS://hooks.example.com/planted' }).execute()
  await db
    .insertInto('deliveries')
    .values([
      { ...row, key: 'old-email', channel: 'email' },
      { ...row, key: 'old-webhook', channel: 'webhook', webhook: 'https://hooks.example.com/planted' },
    ])
    .execute()
  await sealWebhooks(platform)
  const sealed = await kept()
  expect(JSON.stringify(sealed)).not.toContain('planted')
  await sealWebhooks(platform)
  expect(await kept()).toEqual(sealed)
  expect(await listOf(ana)).toMatchObject([{ webhook: 'HTTPS://hooks.example.com/planted', isWebhookLost: false }])
  await db.deleteFrom('deliveries').execute()
})

test('an address whose key was lost is shown as lost, receives nothing, and is entered again', async () => {
  const address = 'https://hooks.example.com/services'
  await ana.ask('PUT', `${path}/${id}`, { ...draft, webhook: address }).expect(204)
  const another = { ...platform, config: { ...platform.config, secretKey: 'x'.repeat(32) } }
  const ask = asUser(createApp(another, notificationRoutes(another)), await openSession(db, ana.id, '127.0.0.1'))
  const listed = async () => (await ask('GET', path).expect(200)).body.elements
  expect(await listed()).toMatchObject([{ webhook: null, isWebhookLost: true }])
  const row = { userId: ana.id, notificationId: id, position: 2, subject: 'Subject', body: '{}' }
  const { webhook } = await db.selectFrom('notifications').select('webhook').executeTakeFirstOrThrow()
  await db
    .insertInto('deliveries')
    .values({ ...row, key: 'lost', channel: 'webhook', webhook })
    .execute()
  await sendDue(another, 'webhook', { now: () => new Date(Date.now() + 1_000) })
  expect((await listed())[0].lastDelivery.reason).toMatch(/^The address of the webhook cannot be opened/)
  await ask('PUT', `${path}/${id}`, { ...draft, webhook: address }).expect(204)
  expect(await listed()).toMatchObject([{ webhook: address, isWebhookLost: false }])
  await db.deleteFrom('deliveries').execute()
  await ana.ask('PUT', `${path}/${id}`, draft).expect(204)
})

const webhookRule = 'must be an http or https address without a user name in it'
test.each([
  [{ type: 'SCAN_ON_PREMISES', webhook: 'ftp://example.com' }, 'webhook', webhookRule],
  [{ type: 'SCAN_ON_PREMISES', webhook: 'javascript:alert(1)' }, 'webhook', webhookRule],
  [{ type: 'SCAN_ON_PREMISES', webhook: 'https://ana:secret@example.com/' }, 'webhook', webhookRule],
  [
    { type: 'SCAN_ON_PREMISES', webhook: 'http://169.254.169.254/' },
    'webhook',
    'must not be a link-local or cloud metadata address',
  ],
  [
    { type: 'SCAN_ON_PREMISES', webhook: 'http://127.0.0.1:8123/?query=x' },
    'webhook',
    'must not be an internal address; only administrators may use one',
  ],
  [{ type: 'SCAN_ON_PREMISES', email: false }, 'webhook', 'is required when no mail is sent'],
  [{ type: 'SCAN_ALL', status: 'ALWAYS' }, 'type', expect.stringMatching(/^must be one of/)],
])('%j is refused and names the field', async (wrong, field, message) => {
  const { body } = await bob.ask('POST', path, wrong).expect(400)
  expect(body.subErrors).toEqual([{ field, message }])
  expect(await listOf(bob)).toEqual([])
})

test('the list shows the result of the last event: the worse one of mail and webhook', async () => {
  const receiver = await testReceiver()
  const server = await testMailServer()
  await useMailServer(db, server.port)
  await ana.ask('PUT', `${path}/${id}`, { ...draft, webhook: receiver.address }).expect(204)
  const tell = async (position: number) => {
    const row = { userId: ana.id, notificationId: id, position, subject: 'Subject', body: '{}' }
    await db
      .insertInto('deliveries')
      .values([
        { ...row, key: `${position}-email`, channel: 'email' },
        { ...row, key: `${position}-webhook`, channel: 'webhook', webhook: receiver.address },
      ])
      .execute()
    await sealWebhooks(platform)
  }
  const last = async () => (await listOf(ana))[0].lastDelivery
  const now = () => new Date(Date.now() + 1_000)
  await tell(1)
  expect(await last()).toMatchObject({ state: 'waiting', reason: null })
  await sendDue(platform, 'webhook', { now })
  await sendDue(platform, 'email', { now })
  expect(await last()).toMatchObject({ state: 'failed', reason: 'You have no email address. Add one in your profile' })
  await db
    .updateTable('users')
    .set({ email: 'ana@example.com', confirmedEmail: 'ana@example.com' })
    .where('id', '=', ana.id)
    .execute()
  await tell(2)
  receiver.answer = 503
  await sendDue(platform, 'email', { now })
  await sendDue(platform, 'webhook', { now })
  const { host } = new URL(receiver.address)
  expect(await last()).toMatchObject({ state: 'waiting', reason: `${host} answered 503` })
  receiver.answer = 200
  await sendDue(platform, 'webhook', { now: () => new Date(Date.now() + 3_600_000) })
  expect(await last()).toMatchObject({ state: 'sent', reason: null })
})

test('while the server runs, the end of a job goes out by mail and webhook', async () => {
  const receiver = await testReceiver()
  const server = await testMailServer()
  await useMailServer(db, server.port)
  await ana.ask('PUT', `${path}/${id}`, { ...draft, status: 'ALWAYS', webhook: receiver.address }).expect(204)
  const running = startNotifications(platform)
  await beginScan(db, 1)
  await change(db, 1, (job) => failTask(job, 11, 'gone', endedAt))
  await expect.poll(() => [server.arrived.length, receiver.posted.length]).toEqual([1, 1])
  await expect.poll(async () => (await listOf(ana))[0].lastDelivery.state).toBe('sent')
  await running.stop()
  expect(server.arrived[0]!.headers['subject']).toBe('Scan failed: job 1')
  expect(JSON.parse(receiver.posted[0]!.body)).toMatchObject({ id: 1, status: 'FAILURE' })
})

test('a user changes their own address; it is well formed, recorded and known at once', async () => {
  const change = (email: unknown) => bob.ask('PUT', '/api/currentUserInfo', { email } as object)
  for (const wrong of ['bob', 'bob@', 'a@b.c\r\nBcc: eve@example.com', 7]) {
    const { body } = await change(wrong).expect(400)
    expect(body.subErrors[0].field).toBe('email')
  }
  await change('bob@example.com').expect(204)
  await change('bob@example.com').expect(204)
  expect((await bob.ask('GET', '/api/currentUserInfo')).body.email).toBe('bob@example.com')
  await change(null).expect(204)
  expect((await events(`user-${bob.id}`)).map(({ data }) => data)).toMatchObject([
    { before: { email: null }, after: { email: 'bob@example.com' } },
    { before: { email: 'bob@example.com' }, after: { email: null } },
  ])
})

test('a test mail is sent to the own address at once, and problems are in the message', async () => {
  const test = () => ana.ask('POST', '/api/v1/emails/tests')
  const server = await testMailServer()
  await useMailServer(db, server.port)
  await test().expect(204)
  expect(server.arrived).toMatchObject([{ to: ['ana@example.com'] }])
  await server.stop()
  expect((await test().expect(409)).body.message).toBe(
    `The mail server 127.0.0.1:${server.port} refused the connection`,
  )
  await db.deleteFrom('configurations').execute()
  expect((await test().expect(409)).body.message).toBe('No mail server is set up')
  await db.updateTable('users').set({ email: null }).where('id', '=', ana.id).execute()
  expect((await test().expect(409)).body.message).toBe('To send a test, add your email address to your profile')
  await bob.ask('POST', '/api/v1/emails/tests').expect(403)
})

test('a webhook is tested as it is entered, and a refusal shows the message of the receiver', async () => {
  const receiver = await testReceiver()
  const body = { webhook: receiver.address, webhookFormat: 'SLACK' }
  await ana.ask('POST', '/api/v1/webhooks/tests', body).expect(204)
  expect(JSON.parse(receiver.posted[0]!.body).text).toContain('Test of a webhook')
  Object.assign(receiver, { answer: 400, text: 'invalid_payload' })
  const refused = await ana.ask('POST', '/api/v1/webhooks/tests', body).expect(409)
  expect(refused.body.message).toBe(`${new URL(receiver.address).host} answered 400: invalid_payload`)
  const template = { ...body, webhookFormat: 'TEMPLATE' }
  const missing = await ana.ask('POST', '/api/v1/webhooks/tests', template).expect(400)
  expect(missing.body.subErrors).toMatchObject([{ field: 'webhookTemplate' }])
  await bob.ask('POST', '/api/v1/webhooks/tests', body).expect(409)
})
