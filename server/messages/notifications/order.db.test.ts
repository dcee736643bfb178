import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { testMailServer } from '#server/platform/testing/mailServer.ts'
import { notifyUser } from './notifyUser.ts'
import { postTo, testReader, testReceiver, testSender, useMailServer, testOutbox } from './testing.ts'
import { signingKey } from './webhookAddress.ts'

const sender = await testSender()
const { db } = sender
const { clock, send, rows } = testOutbox(sender)
const minute = 60_000

test('each attempt of a webhook is signed with its own time, as Standard Webhooks defines it', async () => {
  const receiver = await testReceiver()
  await postTo(sender, await testReader(db, []), receiver.address)
  receiver.answer = 503
  await send('webhook')
  clock.time += minute
  receiver.answer = 204
  await send('webhook')
  const key = await signingKey(sender.config, receiver.address)
  expect(receiver.posted).toHaveLength(2)
  for (const { headers, body } of receiver.posted) {
    const [id, at] = [headers['webhook-id'], headers['webhook-timestamp']]
    expect([id, headers['idempotency-key']]).toEqual(['job-end-7-1-webhook', 'job-end-7-1-webhook'])
    expect(Math.abs(Date.now() / 1_000 - Number(at))).toBeLessThan(60)
    const signed = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${signed}`)
  }
  expect(await signingKey(sender.config, `${receiver.address}2`)).not.toEqual(key)
})

test('deliveries about the same wait for each other, those about others do not', async () => {
  const receiver = await testReceiver()
  const userId = await testReader(db, [])
  const about = async (key: string, about?: string) =>
    postTo(sender, userId, receiver.address, key, { body: `"${key}"`, ...(about && { about }) })
  const posted = () => receiver.posted.map(({ body }) => JSON.parse(body))
  await about('7 ended', 'job-7')
  receiver.answer = 500
  await send('webhook')
  await about('7 was checked', 'job-7')
  await about('8 ended', 'job-8')
  await about('no subject')
  await postTo(sender, await testReader(db, []), receiver.address, 'other user', {
    about: 'job-7',
    body: '"other user"',
  })
  receiver.answer = 204
  clock.time = Date.now() + 2_000
  await send('webhook')
  expect(posted().toSorted()).toEqual(['7 ended', '8 ended', 'no subject', 'other user'])
  clock.time += minute
  await Promise.all([send('webhook'), send('webhook')])
  expect(posted().slice(-2)).toEqual(['7 ended', '7 was checked'])
  expect((await rows()).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent', 'sent', 'sent'])
})

test('mails about the same are sent in order, and one that is refused for good holds no other', async () => {
  const refuses = () => (isWrong ? { at: 'recipient' as const, code, text: 'No' } : undefined)
  let [isWrong, code] = [true, 450]
  const { port, arrived } = await testMailServer({ refuses })
  await useMailServer(db, port)
  const userId = await testReader(db, [])
  const tell = (key: string) =>
    db.transaction().execute((trx) => notifyUser(trx, userId, { key, about: 'alert-1', subject: key, text: 'Text\n' }))
  await tell('failed')
  await send()
  await tell('passed')
  isWrong = false
  clock.time = Date.now() + 2_000
  await send()
  expect(arrived).toEqual([])
  clock.time += minute
  await send()
  expect(arrived.map(({ headers }) => headers['subject'])).toEqual(['failed', 'passed'])
  ;[isWrong, code] = [true, 550]
  await tell('refused')
  await tell('next')
  clock.time = Date.now() + 120_000
  await send()
  expect((await rows()).slice(-2).map(({ state, tries }) => [state, tries])).toEqual([
    ['failed', 1],
    ['failed', 1],
  ])
})

test('a receiver that names a delay gets nothing else of the notification before it ends', async () => {
  const receiver = await testReceiver()
  const userId = await testReader(db, [{ webhook: 'https://a.example' }])
  const { id: notificationId } = await db
    .selectFrom('notifications')
    .select('id')
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  for (const key of ['first', 'second', 'third'])
    await postTo(sender, userId, receiver.address, key, { notificationId })
  await postTo(sender, userId, receiver.address, 'other')
  await db
    .updateTable('deliveries')
    .set({ nextTryAt: new Date(clock.time + 500) })
    .where('key', 'in', ['second', 'third', 'other'])
    .execute()
  Object.assign(receiver, { answer: 429, headers: { 'Retry-After': '120' } })
  await send('webhook')
  Object.assign(receiver, { answer: 204, headers: {} })
  clock.time += 60_000
  await send('webhook')
  expect((await rows()).map(({ key, tries, state }) => [key, tries, state])).toEqual([
    ['first', 1, 'waiting'],
    ['second', 0, 'waiting'],
    ['third', 0, 'waiting'],
    ['other', 1, 'sent'],
  ])
  clock.time += 60_000
  await send('webhook')
  expect((await rows()).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent', 'sent'])
})
