import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import type { Platform } from '#server/platform/platform.ts'
import { asUser, testUser } from '#server/testing.ts'
import { readRun } from '../runs.ts'
import { findAddresses } from './findAddresses.ts'
import { askOwners, ownerFileRoutes } from './index.ts'
import { action, files, testOwners } from './testing.ts'

const { addRun, asked, mail, platform, sendMails, stranger } = await testOwners()
const { db, clickhouse } = platform

test('each owner with an address gets one email with a link, and the others are named', async () => {
  const { id } = await testUser(db, [])
  const email = 'ana.lopez@elsewhere.example'
  await db.updateTable('users').set({ name: 'ANA', email, confirmedEmail: email }).where('id', '=', id).execute()
  const { answers, tokens, runId, selectionId, policy } = await asked('Old {secret} <b>renders</b>')
  expect(answers).toEqual({
    asked: 2,
    kept: 0,
    released: 0,
    withoutAddress: { owners: 2, names: [files.at(-1)?.owner, 'uid 1001'] },
  })
  expect([...tokens.keys()].sort()).toEqual([email, 'ben@example.com'])
  const noAddress = `No address for 2 owners: ${files.at(-1)?.owner}, uid 1001`
  expect(await readRun(platform, runId)).toMatchObject({ owners: answers, reasons: [noAddress] })
  const { headers, text, html } = mail.arrived.find(({ to }) => to[0] === email)!
  expect(headers['subject']).toBe('Keep or release 3 files (30 B)')
  expect(text).toContain(
    '3 files (30 B) of FILMS\\Ana were not used for 180 days. The policy Old {secret} <b>renders</b> asks',
  )
  expect(text).toMatch(/\n\nhttps:\/\/di\.example\.com\/x\/owner-files\/[\w-]{43}$/)
  expect(text).toContain('can be put back until it deletes them')
  expect(html).toContain('&lt;b&gt;renders')
  expect(html).toContain(`href="https://di.example.com/x/owner-files/${tokens.get(email)}"`)
  await askOwners(platform, { runId, selectionId, policy })
  await sendMails()
  expect(mail.arrived).toHaveLength(2)
  await db.updateTable('users').set({ disabledAt: new Date() }).where('id', '=', id).execute()
})

test('only the email has the secret of a link', async () => {
  const run = await addRun('Secrets')
  await askOwners(platform, { ...run, policy: { id: run.policyId, name: 'Secrets', untouchedDays: 180, action } })
  const deliveries = await db.selectFrom('deliveries').selectAll().execute()
  const waiting = JSON.stringify(deliveries)
  // Earlier servers take the channel `email`, and don't know the secret.
  expect(deliveries.map(({ channel }) => channel)).toEqual(['secret-email', 'secret-email'])
  await sendMails()
  const secrets = mail.arrived.map(({ text }) => text.slice(-43))
  expect(secrets).toHaveLength(2)
  const answered = await stranger('PUT', `/api/v1/owner-files/${secrets[0]}`, { answer: 'keep', positions: null })
  expect(answered.status).toBe(204)
  const stored = await Promise.all(
    (['deliveries', 'policyOwnerLinks', 'policyAnswers', 'events'] as const).map((table) =>
      db.selectFrom(table).selectAll().execute(),
    ),
  )
  for (const secret of secrets) {
    expect(waiting).not.toContain(secret)
    expect(JSON.stringify(stored)).not.toContain(secret)
  }
  expect(await db.selectFrom('deliveries').select('secret').execute()).toEqual([{ secret: null }, { secret: null }])
})

test('a failure is logged without the secret of the link', async () => {
  const { tokens } = await asked('Failing')
  const logged: string[] = []
  const log = { ...platform.log, error: (line: object) => void logged.push(JSON.stringify(line)) } as Platform['log']
  const failing = {
    ...clickhouse,
    rows: () => Promise.reject(new Error('broken')),
  } as unknown as Platform['clickhouse']
  const broken = { ...platform, log, clickhouse: failing }
  const secret = tokens.get('ben@example.com')!
  await asUser(createApp(broken, ownerFileRoutes(broken)), undefined)('GET', `/api/v1/owner-files/${secret}`).expect(
    500,
  )
  expect(logged.join()).toContain('/owner-files/…')
  expect(logged.join()).not.toContain(secret)
})

test('names of any form are shown, and owners are named in one line', async () => {
  const { of } = await asked('Names', action)
  const { rows } = (await stranger('GET', of('ben@example.com')).expect(200)).body
  expect(rows).toMatchObject([{ path: '/Films/caf\ufffd.mov' }])
  const named = { ...action, domain: null }
  const { id } = await testUser(db, [])
  const name = files.at(-1)!.owner
  await db
    .updateTable('users')
    .set({ name, email: 'eve@films.example', confirmedEmail: 'eve@films.example' })
    .where('id', '=', id)
    .execute()
  mail.arrived.length = 0
  await asked('Injected', named)
  const [{ headers, text, to } = mail.arrived[0]!] = mail.arrived
  expect([to, headers['to'], headers['bcc']]).toEqual([['eve@films.example'], 'eve@films.example', undefined])
  expect(text).toContain('of eve Bcc: all@example.com https://evil.example/ were not used')
  await db.deleteFrom('users').where('id', '=', id).execute()
})

test('a user who takes the name of an owner in an address elsewhere gets nothing', async () => {
  const { id } = await testUser(db, [])
  const take = (email: string, confirmedEmail: string | null) =>
    db.updateTable('users').set({ email, confirmedEmail }).where('id', '=', id).execute()
  await take('ben@evil.example', 'ben@evil.example')
  expect((await asked('Elsewhere', { ...action, domain: null })).tokens.size).toBe(0)
  await take('Ben@films.example', 'other@films.example')
  expect((await asked('Unconfirmed', { ...action, domain: null })).tokens.size).toBe(0)
  await take('Ben@films.example', 'Ben@films.example')
  expect([...(await asked('Allowed', { ...action, domain: null })).tokens.keys()]).toEqual(['Ben@films.example'])
  const other = await testUser(db, [])
  const second = 'ben@films.example'
  await db.updateTable('users').set({ email: second, confirmedEmail: second }).where('id', '=', other.id).execute()
  mail.arrived.length = 0
  expect((await asked('Ambiguous', { ...action, domain: null })).tokens.size).toBe(0)
  for (const user of [id, other.id]) await db.deleteFrom('users').where('id', '=', user).execute()
})

test.each([
  { name: 'a plain name', user: 'lea', owners: { 'FILMS\\Lea': 'user', lea: 'user' } },
  { name: 'trusted', user: 'lea@films.example', owners: { 'FILMS\\lea': 'user', lea: 'user' } },
  { name: 'elsewhere', user: 'lea@freelance.example', owners: { 'FILMS\\lea': 'domain', lea: 'domain' } },
  { name: 'the same', user: 'lea@freelance.example', owners: { 'lea@freelance.example': 'domain' } },
  { name: 'another domain', user: 'GUEST\\lea', owners: { 'FILMS\\lea': 'domain' } },
  { name: 'two domains', user: 'lea', owners: { 'FILMS\\lea': null, 'GUEST\\lea': null, lea: 'user' } },
  { name: 'one of two', user: 'FILMS\\lea', owners: { 'FILMS\\lea': 'user', 'GUEST\\lea': null } },
  { name: 'one trusted', user: 'lea', owners: { 'lea@films.example': 'user', 'lea@guest.example': null } },
] as const)('an owner gets the address of the right user: $name', async ({ user, owners }) => {
  const { id } = await testUser(db, [])
  const email = 'lea.lopez@elsewhere.example'
  await db.updateTable('users').set({ name: user, email, confirmedEmail: email }).where('id', '=', id).execute()
  const addresses = { user: email, domain: 'lea@example.com' }
  const expected = Object.entries(owners).map(([owner, to]) => [owner, to && addresses[to as 'user' | 'domain']])
  expect([...(await findAddresses(db, Object.keys(owners), 'example.com'))]).toEqual(expected)
  await db.deleteFrom('users').where('id', '=', id).execute()
})

test('numbers and accounts of systems get no address at the domain of the policy', async () => {
  const systems = ['1000', 'uid 1000', 'S-1-5-21-1-2-3-500', 'root', 'FILMS\\Root', 'nobody', 'www-data', '_www', '']
  const windows = ['BUILTIN\\Administrators', 'NT AUTHORITY\\SYSTEM', 'FILMS\\Administrator', 'FILMS\\PC7$']
  const people = ['ben', 's-lee', 'ben7']
  const found = await findAddresses(db, [...systems, ...windows, ...people], 'example.com')
  expect([...found].flatMap(([owner, address]) => (address === null ? [] : [owner]))).toEqual(people)
})

test('nothing is sent without an address for links, and a run without owners with addresses asks none', async () => {
  await db.deleteFrom('configurations').where('name', '=', 'app.url').execute()
  await expect(asked('No URL')).rejects.toMatchObject({ status: 409 })
  expect(await db.selectFrom('policyOwnerLinks').select('id').execute()).toEqual([])
  await db.insertInto('configurations').values({ name: 'app.url', value: 'https://di.example.com/' }).execute()
  const { answers } = await asked('Nobody', { ...action, domain: null })
  expect(answers).toMatchObject({ asked: 0, withoutAddress: { owners: 4 } })
  expect(mail.arrived).toEqual([])
})
