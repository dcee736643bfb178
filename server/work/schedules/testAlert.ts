import { may } from '#events/contract/needs.ts'
import { ownEmail, type TestedDelivery } from '#events/schedules/alerts.ts'
import { openWebhook, sendTestEmail, sendTestMail, sendTestWebhook } from '#server/messages/notifications/index.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { notFound } from '#server/platform/problem.ts'
import { draftOf } from './scheduleRow.ts'

/** Sends a test message to every recipient of the caller's alert, and returns what became of each. */
export async function testAlert(
  platform: Pick<Platform, 'db' | 'config'>,
  id: number,
  { id: userId, roles }: Pick<Caller, 'id' | 'roles'>,
): Promise<TestedDelivery[]> {
  const rows = platform.db.selectFrom('schedules').selectAll().where('id', '=', id).where('userId', '=', userId)
  const row = (await rows.executeTakeFirst()) ?? notFound('alert', id)
  const draft = draftOf(row)
  const { email, addresses, webhookFormat, webhookTemplate } =
    (draft.jobGroup === 'ALERT' && draft.delivery) || ownEmail
  const others = may(roles, 'settings.edit') ? addresses : []
  return Promise.all([
    ...(email ? [tested('Your email address', () => sendTestEmail(platform, userId))] : []),
    ...others.map((address) => tested(address, () => sendTestMail(platform, userId, address))),
    ...(row.webhook === null ? [] : [tested('Webhook', () => postTest(row.webhook ?? ''))]),
  ])

  async function postTest(sealed: string) {
    const webhook = await openWebhook(platform.config, userId, sealed)
    await sendTestWebhook({ webhook, webhookFormat, webhookTemplate }, roles, platform.config)
  }
}

const tested = (to: string, send: () => Promise<void>): Promise<TestedDelivery> =>
  send().then(
    () => ({ to, error: null }),
    (error: Error) => ({ to, error: error.message }),
  )
