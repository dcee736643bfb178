import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { configurationRoutes } from '#server/access/configurations/index.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { testMailServer } from '#server/platform/testing/mailServer.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { testTokenServer } from '#server/platform/testing/tokenServer.ts'
import { asUser, testUser } from '#server/testing.ts'
import { notificationRoutes } from './index.ts'
import { testReceiver, useMailServer } from './testing.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, [...notificationRoutes(platform), ...configurationRoutes(platform)])
const { id } = await testUser(db, ['ROLE_ADMIN'])
const ask = asUser(app, await openSession(db, id, '127.0.0.1'))

test('a test mail signs in to Microsoft 365 with the settings, whose secrets are never shown', async () => {
  const tokens = await testTokenServer()
  platform.config.mailTokenUrl = tokens.url
  const server = await testMailServer({
    authMethods: ['XOAUTH2'],
    authOptional: false,
    onAuth: ({ method, username, accessToken }, _, done) =>
      done(null, { user: method === 'XOAUTH2' && accessToken === 'token-1' ? username : undefined } as object),
  })
  await useMailServer(db, server.port)
  await db.updateTable('users').set({ email: 'ana@example.com' }).where('id', '=', id).execute()
  const put = (values: Record<string, string>) =>
    ask(
      'PUT',
      '/api/configurations',
      Object.entries(values).map(([name, value]) => ({ name, value })),
    )
  const test = () => ask('POST', '/api/v1/emails/tests')
  const auth = 'spring.mail.properties.mail.smtp.auth'
  await put({ [auth]: 'true', 'spring.mail.username': 'reports@example.org', mailSignIn: 'microsoft' }).expect(200)
  expect((await test().expect(409)).body.message).toContain('Enter the tenant, the client ID and the client secret')
  const secret = 'planted-SECRET-2'
  await put({ mailTenant: 'example.org', mailClientId: 'client-7', mailClientSecret: secret }).expect(200)
  await test().expect(204)
  expect(server.arrived.map(({ to }) => to)).toEqual([['ana@example.com']])
  expect(tokens.forms).toMatchObject([{ client_id: 'client-7', client_secret: secret }])
  const { value } = await db
    .selectFrom('configurations')
    .select('value')
    .where('name', '=', 'mailClientSecret')
    .executeTakeFirstOrThrow()
  expect(value).not.toContain(secret)
  expect(JSON.stringify((await ask('GET', '/api/configurations')).body)).not.toContain(secret)
  const moved = await put({ 'spring.mail.host': 'thief.example.com' }).expect(400)
  expect(moved.body.subErrors.map(({ field }: { field: string }) => field)).toEqual(['mailClientSecret'])
})

test('the receiver of a webhook gets the secret of its signatures from a user', async () => {
  const receiver = await testReceiver()
  const secretOf = (webhook: string) => ask('POST', '/api/v1/webhooks/secrets', { webhook })
  const { secret } = (await secretOf(receiver.address).expect(200)).body
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  expect((await secretOf(`${receiver.address}/other`)).body.secret).not.toBe(secret)
  await secretOf('https://a.example/••••••••').expect(400)
  await ask('POST', '/api/v1/webhooks/tests', { webhook: receiver.address }).expect(204)
  const [{ headers, body }] = receiver.posted as [(typeof receiver.posted)[0]]
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
})
