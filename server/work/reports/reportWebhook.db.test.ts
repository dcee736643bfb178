import type request from 'supertest'
import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { notificationRoutes, openWebhook } from '#server/messages/notifications/index.ts'
import { asUser, testSession } from '#server/testing.ts'
import { testReports } from './oracle/testReports.ts'

const { platform, path, ask: ana, userWith, draft, create, find, work } = await testReports()
const { db, config } = platform
const bo = await userWith(['ROLE_PROJECT_MANAGER'])
const admin = await userWith(['ROLE_ADMIN'])

const webhook = 'https://hooks.example.com/services/T0/secret'
const hidden = 'https://hooks.example.com/••••••••'
const delivery = { addresses: [], webhook, webhookFormat: 'SLACK', webhookTemplate: null, when: 'ALWAYS' }
const schedule = { cron: '0 0 3 * * ?', paused: false }

const seenBy = async (ask: typeof ana, id: number) => (await ask('GET', `${path}/${id}`).expect(200)).body.delivery
const save = (ask: typeof ana, id: number, of: object) => ask('PUT', `${path}/${id}`, draft(of))
const wrongOf = ({ body }: request.Response) => body.subErrors.map(({ field }: { field: string }) => field)
/** The stored address and its user. */
async function stored(id: number) {
  const row = await db.selectFrom('reportTemplates').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  if (row.webhook === null || row.webhookUser === null) return undefined
  return { address: await openWebhook(config, row.webhookUser, row.webhook), user: row.webhookUser }
}
const webhooks = async () =>
  (await db.selectFrom('deliveries').select('id').where('channel', '=', 'webhook').execute()).length

test('the address of a webhook is for who entered it and for administrators alone', async () => {
  const id = await create({ delivery })
  expect(await seenBy(ana, id)).toEqual(delivery)
  expect(await seenBy(admin, id)).toEqual(delivery)
  expect(await seenBy(bo, id)).toEqual({ ...delivery, webhook: hidden })
  const everything = [
    await bo('GET', path),
    await bo('GET', `${path}/${id}`),
    await bo('GET', `/api/v1/reports/${id}/runs`),
    await bo('GET', `/api/v1/reports/${id}/jobs`),
  ]
  expect(JSON.stringify(everything.map(({ body }) => body))).not.toContain('secret')
})

test('a report is saved by others without its address, which stays that of its user', async () => {
  const id = await create({ delivery })
  const before = await stored(id)
  expect(before?.address).toBe(webhook)
  await save(bo, id, { delivery: { ...delivery, webhook: hidden, addresses: ['bo@example.com'] } }).expect(200)
  await save(admin, id, { delivery, tags: ['weekly'] }).expect(200)
  await save(bo, id, { retention: 7 }).expect(200)
  expect(await stored(id)).toEqual(before)
  await save(bo, id, { delivery: { ...delivery, webhook: null } }).expect(200)
  expect(await stored(id)).toBeUndefined()
})

test('others change neither what another user’s webhook receives nor when', async () => {
  const id = await create({ delivery, schedule })
  const kept = { ...delivery, webhook: hidden }
  const template = { webhookFormat: 'TEMPLATE', webhookTemplate: '{"text": "{{text}}"}' }
  expect(wrongOf(await save(bo, id, { delivery: { ...kept, ...template } }))).toEqual(['delivery.webhookFormat'])
  expect(wrongOf(await save(bo, id, { delivery: { ...kept, when: 'CHECK_NOT_PASSED' } }))).toEqual(['delivery.when'])
  const often = { cron: '0 * * * * ?', paused: false }
  expect(wrongOf(await save(bo, id, { schedule: often }))).toEqual(['schedule.cron'])
  expect(wrongOf(await save(bo, id, { schedule: often, delivery: kept }))).toEqual(['schedule.cron'])
  await save(bo, id, { schedule: { ...schedule, paused: true } }).expect(200)
  expect(wrongOf(await save(bo, id, { schedule }))).toEqual(['schedule.cron'])
  await save(ana, id, { schedule: often, delivery: { ...delivery, ...template } }).expect(200)
  await save(bo, id, { schedule, delivery: { ...delivery, webhook: 'https://bo.example.com/x' } }).expect(200)
  expect((await seenBy(bo, id)).webhook).toBe('https://bo.example.com/x')
  expect((await seenBy(ana, id)).webhook).toBe('https://bo.example.com/••••••••')
})

test('a run that another user starts does not call the webhook, and one of its user or an administrator does', async () => {
  const id = await create({ delivery })
  const runBy = async (ask: typeof ana) => {
    await ask('POST', `${path}/${id}/jobs`).expect(200)
    await work(id)
    return webhooks()
  }
  expect(await runBy(bo)).toBe(0)
  expect(await runBy(ana)).toBe(1)
  expect(await runBy(admin)).toBe(2)
  expect((await find(id)).jobs).toHaveLength(3)
})

test('an address without its path is invalid', async () => {
  const refused = [{ field: 'delivery.webhook', message: 'is hidden. Enter the whole address.' }]
  const copy = await bo('POST', path, draft({ delivery: { ...delivery, webhook: hidden } })).expect(400)
  expect(copy.body.subErrors).toEqual(refused)
  const id = await create({ delivery })
  const elsewhere = { ...delivery, webhook: 'https://other.example.com/••••••••' }
  expect((await save(bo, id, { delivery: elsewhere }).expect(400)).body.subErrors).toEqual(refused)
  const app = createApp(platform, notificationRoutes(platform))
  const tester = asUser(app, await testSession(db, ['ROLE_PROJECT_MANAGER']))
  const tested = await tester('POST', '/api/v1/webhooks/tests', { webhook: hidden }).expect(400)
  expect(tested.body.subErrors).toEqual([{ field: 'webhook', message: 'is hidden. Enter the whole address.' }])
})
