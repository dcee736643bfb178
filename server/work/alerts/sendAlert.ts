import { may } from '#events/contract/needs.ts'
import { type AlertDelivery, ownEmail } from '#events/schedules/alerts.ts'
import {
  linkTo,
  notifyAddress,
  notifyChannels,
  notifyUser,
  notifyWebhook,
} from '#server/messages/notifications/index.ts'
import { addressesSeeing, isUserLimited } from '#server/platform/callers/scope.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'

/** Recipients of an alert. `webhook` is a sealed address. */
type Recipients = Omit<AlertDelivery, 'webhook'> & { webhook: string | null }

/** An alert that is evaluated. Its messages have keys that start with `key`: at most one per key and recipient. */
export type Alert = { scheduleId: number; name: string; userId: number; key: string; recipients?: Recipients }

/** `path` is the page about the objects, and `data` is what webhooks receive as JSON. */
type Message = { subject: string; text: string; path: string; data: object }

/** Reasons why nothing was sent: no other recipient is left, or the figures aren't for the owner. */
const noAddress = 'the user has no email address'
const ownerLimited = 'the user sees only some projects and storages'

/** Adds the messages of an alert to the outbox. Returns the reason if nothing was sent. */
export async function sendAlert(
  trx: Trx,
  alert: Alert,
  { subject, path, data, ...message }: Message,
): Promise<string | undefined> {
  const { scheduleId, name, userId, key } = alert
  if (await isUserLimited(trx, userId)) return ownerLimited
  const to = await recipientsOf(trx, alert)
  const link = await linkTo(trx, path)
  const text = `${message.text}\n${link === '' ? '' : `\n${link}\n`}`
  const about = `alert-${scheduleId}`
  const body = JSON.stringify({ at: new Date(), alert: { id: scheduleId, name }, subject, ...data, link: link || null })
  if (to.own) await notifyUser(trx, userId, { key, about, subject, text })
  for (const address of to.addresses)
    await notifyAddress(trx, address, { key: `${key} ${address}`, about, senderId: userId, subject, text })
  if (to.webhook !== null)
    await notifyWebhook(trx, userId, {
      key: `${key} webhook`,
      about,
      subject,
      webhook: to.webhook,
      webhookFormat: to.webhookFormat,
      webhookTemplate: to.webhookTemplate,
      webhookText: text,
      body,
    })
  const isOnChannel = await notifyChannels(trx, userId, to.channelIds ?? [], { key, about, subject, text, data: body })
  return isOnChannel || to.own || to.addresses.length > 0 || to.webhook !== null ? undefined : noAddress
}

/** The recipients that exist now. Only administrators send to addresses of others, also if they were one before. */
async function recipientsOf(trx: Trx, { userId, recipients = { ...ownEmail, webhook: null } }: Alert) {
  const user = await trx.selectFrom('users').select(['email', 'roles']).where('id', '=', userId).executeTakeFirst()
  return {
    ...recipients,
    own: recipients.email && user?.email !== undefined && user.email !== null,
    addresses: user && may(user.roles, 'settings.edit') ? await addressesSeeing(trx, recipients.addresses) : [],
  }
}
