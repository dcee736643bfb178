import { expect, test } from 'vitest'
import { testMailServer } from '#server/platform/testing/mailServer.ts'
import { forgetOld, takeDue } from './outbox.ts'
import { sendDue } from './sendDue.ts'
import { attachFiles, type MailFile } from './attachFiles.ts'
import { notifyAddress, notifyUser } from './notifyUser.ts'
import { postTo, testReader, testReceiver, testSender, useMailServer, testOutbox } from './testing.ts'

const sender = await testSender()
const { db } = sender
const { clock, send, rows, now } = testOutbox(sender)
const minute = 60_000
const one = async () => (await rows())[0]!

const tell = (userId: number, key: string) =>
  db.transaction().execute((trx) => notifyUser(trx, userId, { key, subject: 'Subject', text: 'Text\n' }))

test('a message with one key is sent once, to the current address of the user', async () => {
  const { port, arrived } = await testMailServer()
  await useMailServer(db, port)
  const userId = await testReader(db, [])
  await tell(userId, 'alert-1')
  await tell(userId, 'alert-1')
  await db
    .updateTable('users')
    .set({ email: 'new@example.com', confirmedEmail: 'new@example.com' })
    .where('id', '=', userId)
    .execute()
  await Promise.all([send(), send(), send()])
  await send()
  await tell(userId, 'alert-1')
  await send()
  expect(arrived.map(({ to, text, headers }) => [to, headers['subject'], headers['message-id'], text])).toEqual([
    [['new@example.com'], 'Subject', '<alert-1@example.org>', 'Text\n'],
  ])
  expect(await one()).toMatchObject({ state: 'sent', tries: 1, reason: null })
})

test('a demo sends no email and no webhook, with any settings', async () => {
  const { port, arrived } = await testMailServer()
  await useMailServer(db, port)
  const demo = { ...sender, config: { ...sender.config, isDemo: true } }
  await tell(await testReader(db, []), 'alert-1')
  await postTo(sender, await testReader(db, []), 'https://hooks.example.com/7')
  for (const channel of ['email', 'webhook'] as const) await sendDue(demo, channel, { now })
  expect(arrived).toEqual([])
  const reason = 'This is a demo, which sends no email and no webhooks'
  expect(await rows()).toMatchObject([
    { state: 'failed', reason },
    { state: 'failed', reason },
  ])
})

test('a mail to an address is sent there, once, with any accounts', async () => {
  const { port, arrived } = await testMailServer()
  await useMailServer(db, port)
  const draft = { key: 'statement-1', senderId: null, subject: 'Subject', text: 'Text\n' }
  for (const address of ['ana@example.com', 'ben@example.com'])
    await db.transaction().execute((trx) => notifyAddress(trx, address, draft))
  await send()
  expect(arrived.map(({ to, text }) => [to, text])).toEqual([[['ana@example.com'], 'Text\n']])
  expect(await one()).toMatchObject({ state: 'sent', userId: null, address: 'ana@example.com' })
})

const attach = (bundle: string, files: MailFile[]) =>
  db.transaction().execute((trx) => attachFiles(trx, bundle, files, '/report/7'))
const keptFiles = () => db.selectFrom('mailFiles').select(['bundle', 'name']).orderBy('position').execute()

test('mails of a bundle carry its files, also when they are tried again, and the files go once no mail waits', async () => {
  const server = await testMailServer()
  await useMailServer(db, server.port)
  const bytes = Buffer.from([0, 1, 2, 255])
  const note = await attach('run-1', [{ name: 'run.pdf', bytes }])
  expect(note).toBe('\nAttached: run.pdf.\nDataIntell has more of it.\n')
  const mail = { senderId: null, subject: 'Subject', text: `Text\n${note}`, bundle: 'run-1' }
  for (const address of ['ana@example.com', 'ben@example.com'])
    await db.transaction().execute((trx) => notifyAddress(trx, address, { key: `run-1-${address}`, ...mail }))
  // An existing bundle stays unchanged.
  await attach('run-1', [{ name: 'other.pdf', bytes: Buffer.from('other') }])
  await server.stop()
  await send()
  await forgetOld(db, now())
  expect(await keptFiles()).toEqual([{ bundle: 'run-1', name: 'run.pdf' }])
  await server.start()
  clock.time += minute
  await send()
  const seen = server.arrived.map(
    ({ to: [to = ''], text, files }) => [to, text, files[0]?.name, files[0]?.bytes] as const,
  )
  expect(seen.toSorted(([a], [b]) => a.localeCompare(b))).toEqual(
    ['ana@example.com', 'ben@example.com'].map((to) => [to, mail.text, 'run.pdf', bytes]),
  )
  await forgetOld(db, now())
  expect(await keptFiles()).toEqual([])
})

test('files that are more than a mail may carry are left out, and the mail says so and links what has them', async () => {
  await db.deleteFrom('mailFiles').execute()
  await db.deleteFrom('configurations').execute()
  await db.insertInto('configurations').values({ name: 'app.url', value: 'https://data.example.com/' }).execute()
  const note = await attach('large', [
    { name: 'run.pdf', bytes: Buffer.alloc(1_000_000) },
    { name: 'found.csv', bytes: Buffer.alloc(4_000_001) },
    { name: 'small.csv', bytes: Buffer.alloc(4_000_000) },
    { name: 'broken.pdf', bytes: undefined },
  ])
  expect(note).toBe(
    '\nAttached: run.pdf, small.csv.\n' +
      'found.csv is not attached: its size is 3.8 MiB, and attachments are limited to 5 MB in total.\n' +
      'broken.pdf is not attached: it could not be created.\n' +
      'See https://data.example.com/report/7\n',
  )
  expect((await keptFiles()).map(({ name }) => name)).toEqual(['run.pdf', 'small.csv'])
})

test('a mail of a transaction that is rolled back is never sent', async () => {
  const { port, arrived } = await testMailServer()
  await useMailServer(db, port)
  const userId = await testReader(db, [])
  const undone = db.transaction().execute(async (trx) => {
    await notifyUser(trx, userId, { key: 'undone', subject: 'Subject', text: 'Text' })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await send()
  expect(arrived).toEqual([])
})

test('many mails and several senders: each goes out once', async () => {
  const { port, arrived } = await testMailServer()
  await useMailServer(db, port)
  const userId = await testReader(db, [])
  for (let i = 0; i < 45; i++) await tell(userId, `many-${i}`)
  clock.time = Date.now() + 1_000
  await Promise.all([send(), send(), send()])
  expect(arrived).toHaveLength(45)
  expect(new Set(arrived.map(({ headers }) => headers['message-id'])).size).toBe(45)
})

test('while the mail server is down the reason is shown, and after that the mail is sent once', async () => {
  const server = await testMailServer()
  await useMailServer(db, server.port)
  await server.stop()
  await tell(await testReader(db, []), 'down')
  await send()
  expect(await one()).toMatchObject({
    state: 'waiting',
    reason: `The mail server 127.0.0.1:${server.port} refused the connection`,
  })
  await server.start()
  await send()
  expect(server.arrived).toEqual([])
  clock.time += minute
  await send()
  await send()
  expect(server.arrived).toHaveLength(1)
  expect(await one()).toMatchObject({ state: 'sent', tries: 2, reason: null })
})

test('failed messages are retried after 1, 5, 15 and 60 minutes and every 4 hours, and abandoned after a day', async () => {
  await db.deleteFrom('configurations').execute()
  await tell(await testReader(db, []), 'late')
  const begun = clock.time
  const triedAt: number[] = []
  for (let state = 'waiting'; state === 'waiting';) {
    triedAt.push((clock.time - begun) / minute)
    await send()
    const { tries, nextTryAt } = await one()
    expect(tries).toBe(triedAt.length)
    clock.time = nextTryAt.getTime() - 1
    await send()
    clock.time++
    ;({ tries: triedAt.length, state } = await one())
  }
  expect(triedAt).toEqual([0, 1, 6, 21, 81, 321, 561, 801, 1041, 1281])
  expect(await one()).toMatchObject({ state: 'failed', reason: 'No mail server is set up' })
  clock.time += 1_000 * minute
  await send()
  expect((await one()).tries).toBe(triedAt.length)
})

test('a permanent refusal fails at once and delays nothing else', async () => {
  const refuses = () => (isWrong ? { at: 'recipient' as const, code: 550, text: 'No such user' } : undefined)
  let isWrong = true
  const { port, arrived } = await testMailServer({ refuses })
  await useMailServer(db, port)
  await tell(await testReader(db, []), 'unknown')
  await tell(await testReader(db, [], null), 'nobody')
  await send()
  expect((await rows()).map(({ state, reason, tries }) => [state, reason, tries])).toEqual([
    ['failed', `The mail server 127.0.0.1:${port} refused the recipient: 550 No such user`, 1],
    ['failed', 'You have no email address. Add one in your profile', 1],
  ])
  isWrong = false
  await tell(await testReader(db, []), 'known')
  await send()
  expect(arrived).toHaveLength(1)
})

test('a message whose sender never finished is taken by another one after a while, with the same id', async () => {
  const { port, arrived } = await testMailServer()
  await useMailServer(db, port)
  await tell(await testReader(db, []), 'taken')
  expect(await takeDue(db, 'email', now())).toHaveLength(1)
  await send()
  expect(arrived).toEqual([])
  clock.time += 3 * minute
  await send()
  expect(arrived.map(({ headers }) => headers['message-id'])).toEqual(['<taken@example.org>'])
  expect(await one()).toMatchObject({ state: 'sent', tries: 2 })
})

test('a sender that failed late does not undo what another one sent in the meantime', async () => {
  const { keepFailure, keepSent } = await import('./outbox.ts')
  const { NotSent } = await import('#server/platform/mail/notSent.ts')
  await tell(await testReader(db, []), 'twice')
  const [slow] = await takeDue(db, 'email', now())
  clock.time += 3 * minute
  const [quick] = await takeDue(db, 'email', now())
  await keepFailure(db, slow!, new NotSent('late'), now())
  expect(await one()).toMatchObject({ state: 'waiting', reason: null, tries: 2 })
  await keepSent(db, quick!)
  await keepFailure(db, slow!, new NotSent('late', { permanent: true }), now())
  expect(await one()).toMatchObject({ state: 'sent', reason: null })
})

test('a webhook gets the job as JSON with its key, and again when it answered with an error', async () => {
  const receiver = await testReceiver()
  await postTo(sender, await testReader(db, []), receiver.address)
  for (const answer of [500, 408, 302]) {
    receiver.answer = answer
    await send('webhook')
    const { host } = new URL(receiver.address)
    const more = answer === 302 ? '; redirects are not followed' : ''
    expect(await one()).toMatchObject({ state: 'waiting', reason: `${host} answered ${answer}${more}` })
    clock.time += 60 * minute
  }
  receiver.answer = 204
  await send('webhook')
  await send('webhook')
  expect(await one()).toMatchObject({ state: 'sent', tries: 4 })
  expect(receiver.posted.map(({ url, body, headers }) => [url, body, headers['idempotency-key']])).toEqual(
    Array.from({ length: 4 }, () => ['/hook', '{"id":7}', 'job-end-7-1-webhook']),
  )
  expect(receiver.posted[0]!.headers['content-type']).toBe('application/json')
})

test('sent messages are deleted after 30 days, and waiting ones are not', async () => {
  const { port } = await testMailServer()
  await useMailServer(db, port)
  const userId = await testReader(db, [])
  await tell(userId, 'old')
  await send()
  await tell(userId, 'waits')
  const day = 24 * 60 * minute
  await forgetOld(db, new Date(clock.time + 29 * day))
  expect(await rows()).toHaveLength(2)
  await forgetOld(db, new Date(clock.time + 31 * day))
  expect((await rows()).map(({ key }) => key)).toEqual(['waits'])
})
