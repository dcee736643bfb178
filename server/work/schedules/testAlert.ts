import { may } from '#events/contract/needs.ts'
import type { TestedDelivery } from '#events/notifications/channels.ts'
import { type AlertDelivery, ownEmail } from '#events/schedules/alerts.ts'
import {
  readWebhook,
  sendTestEmail,
  sendTestMail,
  sendTestWebhook,
  testChannels,
  tested,
} from '#server/messages/notifications/index.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { notFound } from '#server/platform/problem.ts'
import { draftOf } from './scheduleRow.ts'

type Stores = Pick<Platform, 'db' | 'config'>
type Tester = Pick<Caller, 'id' | 'roles'>

/** Sends a test message to every recipient of the caller's alert, and returns what became of each. */
export async function testAlert(platform: Stores, id: number, by: Tester): Promise<TestedDelivery[]> {
  const rows = platform.db.selectFrom('schedules').selectAll().where('id', '=', id).where('userId', '=', by.id)
  const row = (await rows.executeTakeFirst()) ?? notFound('alert', id)
  const draft = draftOf(row)
  const delivery = (draft.jobGroup === 'ALERT' && draft.delivery) || ownEmail
  const { webhook, isWebhookLost } = await readWebhook(platform.config, by.id, row.webhook)
  const results = await testDelivery(platform, { ...delivery, webhook }, by)
  return isWebhookLost ? [...results, { to: 'Webhook', error: 'The webhook can no longer be decrypted' }] : results
}

/** Same for recipients that are not saved yet. */
export async function testDelivery(platform: Stores, delivery: AlertDelivery, by: Tester): Promise<TestedDelivery[]> {
  const { email, addresses, channelIds, webhook, webhookFormat, webhookTemplate } = delivery
  const others = may(by.roles, 'settings.edit') ? addresses : []
  const posted = webhook === null ? [] : [{ webhook, webhookFormat, webhookTemplate }]
  const [direct, ofChannels] = await Promise.all([
    Promise.all([
      ...(email ? [tested('Your email address', sendTestEmail(platform, by.id))] : []),
      ...others.map((address) => tested(address, sendTestMail(platform, by.id, address))),
      ...posted.map((test) => tested('Webhook', sendTestWebhook(test, by.roles, platform.config))),
    ]),
    testChannels(platform, channelIds, by),
  ])
  return [...direct, ...ofChannels]
}
