import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { configurationRoutes } from '#server/access/configurations/index.ts'
import { openSession } from '#server/platform/callers/session.ts'
import { testMailServer } from '#server/platform/testing/mailServer.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { projectRoutes } from '#server/work/projects/index.ts'
import { reportRoutes } from '#server/work/reports/index.ts'
import { asUser, testUser } from '#server/testing.ts'
import { userRoutes } from '#server/access/users/index.ts'
import { notificationRoutes, notifyAddress, notifyUser } from '../index.ts'
import { sendDue } from '../sendDue.ts'
import { useMailServer } from '../testing.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, [
  ...notificationRoutes(platform),
  ...configurationRoutes(platform),
  ...projectRoutes(platform),
  ...reportRoutes(platform),
  ...userRoutes(platform),
])
const { port, arrived } = await testMailServer()
await useMailServer(db, port, '')
const signedIn = async (...roles: Parameters<typeof testUser>[1]) => {
  const user = await testUser(db, roles)
  return { ...user, ask: asUser(app, await openSession(db, user.id, '127.0.0.1')) }
}
const admin = await signedIn('ROLE_ADMIN')
const path = '/api/v1/emails/confirmations'
type User = typeof admin

let keys = 0
/** State or reason of a mail to a recipient, or to the user's own address. */
async function mailTo(to: string | User, senderId: number | null = null) {
  const draft = { key: `test ${(keys += 1)}`, subject: 'Hello', text: 'Text\n' }
  await db
    .transaction()
    .execute((trx) =>
      typeof to === 'string' ? notifyAddress(trx, to, { ...draft, senderId }) : notifyUser(trx, to.id, draft),
    )
  await sendDue(platform, 'email')
  const row = db.selectFrom('deliveries').select(['state', 'reason']).where('key', '=', draft.key)
  const { state, reason } = await row.executeTakeFirstOrThrow()
  return reason ?? state
}
const codeFor = (address: string) =>
  arrived.findLast(({ to }) => to.includes(address))?.text.match(/^\d{6}$/m)?.[0] ?? 'none'
const setOwn = ({ ask }: User, email: string) => ask('PUT', '/api/currentUserInfo', { email }).expect(204)
const send = ({ ask }: User, address: string) => ask('POST', path, { address })
const confirm = ({ ask }: User, address: string, code: string) => ask('PUT', path, { address, code })
const unconfirmed = async ({ ask }: User, ...addresses: string[]) =>
  (await ask('GET', `${path}?${new URLSearchParams(addresses.map((one) => ['address', one]))}`).expect(200)).body
const notOwn = 'Your email address is not confirmed. Confirm it in your profile'

test("a user's address receives nothing but the code until it is confirmed", async () => {
  const ana = await signedIn()
  await setOwn(ana, 'Ana@one.test')
  expect(await mailTo(ana)).toBe(notOwn)
  expect(await unconfirmed(ana, 'Ana@one.test')).toEqual(['Ana@one.test'])
  expect(arrived).toEqual([])
  await send(ana, 'Ana@one.test').expect(204)
  expect(arrived).toHaveLength(1)
  const wrong = codeFor('Ana@one.test') === '000000' ? '000001' : '000000'
  const { body } = await confirm(ana, 'Ana@one.test', wrong).expect(400)
  expect(body.subErrors).toEqual([
    { field: 'code', message: 'is wrong or no longer valid. Check it, or send a new one' },
  ])
  await confirm(ana, 'Ana@one.test', codeFor('Ana@one.test')).expect(204)
  expect([await mailTo(ana), await unconfirmed(ana, 'Ana@one.test')]).toEqual(['sent', []])
  await setOwn(ana, 'ana@elsewhere.test')
  expect(await mailTo(ana)).toBe(notOwn)
})

test('an address confirmed by one user is not confirmed for another one', async () => {
  const [ana, bob] = [await signedIn(), await signedIn()]
  await setOwn(ana, 'shared@one.test')
  await send(ana, 'shared@one.test').expect(204)
  await setOwn(bob, 'shared@one.test')
  await confirm(bob, 'shared@one.test', codeFor('shared@one.test')).expect(400)
  await confirm(ana, 'shared@one.test', codeFor('shared@one.test')).expect(204)
  expect([await mailTo(ana), await mailTo(bob)]).toEqual(['sent', notOwn])
})

test('a code works once, five wrong ones end it, and an address gets three in an hour, from all users together', async () => {
  const users = [await signedIn(), await signedIn(), await signedIn(), await signedIn()]
  const [ana] = users as [User]
  const address = 'busy@one.test'
  await send(ana, address).expect(204)
  const code = codeFor(address)
  for (let i = 0; i < 5; i++) await confirm(ana, address, 'wrong').expect(400)
  await confirm(ana, address, code).expect(400)
  const answers = await Promise.all(users.map((user) => send(user, address.toUpperCase())))
  const refused = answers.filter(({ status }) => status === 429)
  expect([answers.filter(({ status }) => status === 204).length, refused.length]).toEqual([2, 2])
  expect(refused[0]?.body).toEqual({
    code: 'too-many-codes',
    message: 'Too many codes were sent. Try again in 60 minutes.',
  })
  expect(refused[0]?.headers['retry-after']).toBe('3600')
  expect(arrived.filter(({ to }) => to.some((one) => one.toLowerCase() === address))).toHaveLength(3)
})

test('a user sends ten codes in an hour, to any addresses', async () => {
  const ana = await signedIn()
  const statuses = await Promise.all(
    Array.from({ length: 14 }, async (_, i) => (await send(ana, `many${i}@one.test`)).status),
  )
  expect(statuses.toSorted()).toEqual([...Array<number>(10).fill(204), ...Array<number>(4).fill(429)])
})

const report = (addresses: string[]) => ({
  type: 'SEARCH_QUERY',
  parameters: { searchQueryNode: { searchQueries: [{ name: { values: ['a'] } }] } },
  delivery: { addresses },
})

test('recipients that a user adds are confirmed; those that an administrator adds are accepted', async () => {
  const ana = await signedIn('ROLE_PROJECT_MANAGER')
  const { id } = (
    await ana.ask('POST', '/api/v1/reports/templates', { name: 'Weekly', ...report(['first@two.test']) }).expect(200)
  ).body
  expect(await mailTo('first@two.test')).toBe('The address is not confirmed')
  const both = report(['first@two.test', 'second@two.test'])
  await admin.ask('PUT', `/api/v1/reports/templates/${id}`, both).expect(200)
  expect([await mailTo('second@two.test'), await mailTo('SECOND@two.test')]).toEqual(['sent', 'sent'])
  expect(await mailTo('first@two.test')).toBe('The address is not confirmed')
  await send(ana, 'first@two.test').expect(204)
  await confirm(ana, 'first@two.test', codeFor('first@two.test')).expect(204)
  expect(await mailTo('first@two.test')).toBe('sent')
})

test('recipients of statements and addresses of accounts follow the same rule', async () => {
  const manager = await signedIn('ROLE_PROJECT_MANAGER')
  const { id } = (
    await admin
      .ask('POST', '/api/projects', { name: 'Films', description: '', allocatedSize: 1000, paths: [] })
      .expect(200)
  ).body
  const recipients = (user: User, ...addresses: string[]) =>
    user.ask('PUT', `/api/v1/projects/${id}/statement-recipients`, { addresses }).expect(204)
  await recipients(manager, 'm@three.test')
  await recipients(admin, 'm@three.test', 'a@three.test')
  expect([await mailTo('m@three.test'), await mailTo('a@three.test')]).toEqual(['The address is not confirmed', 'sent'])
  const draft = { name: 'Carla', email: 'carla@three.test', roles: [], isDisabled: false }
  const made = (await admin.ask('POST', '/api/v1/users', draft).expect(200)).body as User
  expect(await mailTo(made)).toBe('sent')
})

test('addresses of an allowed domain need no confirmation; subdomains and look-alikes do', async () => {
  const set = (value: string) => admin.ask('PUT', '/api/configurations', [{ name: 'allowedMailDomains', value }])
  const { body } = await set('example.org, not a domain!').expect(400)
  expect(body.subErrors[0].message).toBe('Domains must be names such as example.com, separated by commas')
  await set('Allowed.test; other.test').expect(200)
  const ana = await signedIn()
  await setOwn(ana, 'ana@allowed.test')
  expect([await mailTo(ana), await mailTo('x@OTHER.test')]).toEqual(['sent', 'sent'])
  for (const address of ['x@sub.allowed.test', 'x@notallowed.test', '"x@allowed.test"@evil.test'])
    expect(await mailTo(address)).toBe('The address is not confirmed')
  await set('').expect(200)
  expect(await mailTo(ana)).toBe(notOwn)
})

test('a user causes no more emails in an hour than allowed, of any kind; others are not affected', async () => {
  await admin.ask('PUT', '/api/configurations', [{ name: 'emailsPerHour', value: '3' }]).expect(200)
  await setOwn(admin, 'admin@three.test')
  const tests = async () => (await admin.ask('POST', '/api/v1/emails/tests')).status
  expect([await mailTo(admin), await mailTo('a@three.test', admin.id), await tests(), await tests()]).toEqual([
    'sent',
    'sent',
    204,
    429,
  ])
  const refused = await admin.ask('POST', '/api/v1/emails/tests').expect(429)
  expect([refused.headers['retry-after'], refused.body]).toEqual([
    '600',
    { code: 'limit-emailsPerHour', message: 'You sent 3 emails within an hour, the maximum. Try again in 10 minutes.' },
  ])
  expect(await mailTo(admin)).toBe('Not sent: its sender reached the limit of emails per hour')
  const other = await signedIn('ROLE_ADMIN')
  await setOwn(other, 'other@three.test')
  expect(await mailTo(other)).toBe('sent')
  await db
    .updateTable('deliveries')
    .set({ createdAt: new Date(Date.now() - 3_700_000) })
    .execute()
  expect(await mailTo(admin)).toBe('sent')
})

test('a flood above the limit is not even stored', async () => {
  const ana = await signedIn()
  for (let i = 0; i < 20; i++)
    await db.transaction().execute((trx) => notifyUser(trx, ana.id, { key: `flood ${i}`, subject: 'Hello', text: '' }))
  const rows = await db.selectFrom('deliveries').select('state').where('senderId', '=', ana.id).execute()
  expect(rows.map(({ state }) => state).toSorted()).toEqual([...Array(3).fill('failed'), ...Array(3).fill('waiting')])
})

test('earlier addresses stay in use: in users, reports, alerts and statements, and in waiting emails', async () => {
  const [ana, bob] = [await signedIn('ROLE_PROJECT_MANAGER'), await signedIn()]
  await setOwn(ana, 'ana@old.test')
  const { id } = (
    await ana.ask('POST', '/api/v1/reports/templates', { name: 'Old', ...report(['Report@old.test']) }).expect(200)
  ).body
  const project = { name: 'Old', description: '', allocatedSize: 1000, paths: [] }
  const { id: projectId } = (await ana.ask('POST', '/api/projects', project).expect(200)).body
  await db
    .updateTable('projects')
    .set({ statementRecipients: ['project@old.test'] })
    .where('id', '=', projectId)
    .execute()
  await db
    .transaction()
    .execute((trx) => notifyAddress(trx, 'waiting@old.test', { key: 'old', senderId: null, subject: '', text: '' }))
  await sql`ALTER TABLE users DROP COLUMN confirmed_email`.execute(db)
  await sql`DROP TABLE confirmed_addresses, address_codes`.execute(db)
  await sql.raw(readFileSync('migrations/postgres/0075_confirmed_addresses.sql', 'utf8')).execute(db)
  const old = ['report@old.test', 'Project@old.test', 'waiting@old.test']
  expect(await unconfirmed(bob, ...old, 'new@old.test')).toEqual(['new@old.test'])
  expect([await unconfirmed(ana, 'ana@old.test'), id]).toEqual([[], expect.any(Number)])
})
