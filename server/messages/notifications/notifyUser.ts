import { openSecret, type KeySource, sealSecret } from '#server/platform/secrets.ts'
import type { WebhookFormat } from '#events/notifications/webhooks.ts'
import type { LimitedScope } from '#server/platform/callers/scope.ts'
import { addDeliveries } from './emails/addMails.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'

/**
 * `key` is unique forever: at most one delivery per key. `bundle` names files of `attachFiles`. Deliveries `about` the same, such as
 * `job-7`, reach a recipient in order.
 */
type MailDraft = { key: string; subject: string; text: string; bundle?: string; about?: string; shows?: MessageScope }

/** Data in a message: limited recipients get it only if they see all of that. Null, the default, is everything. */
type MessageScope = LimitedScope | null

/** Adds a mail to a user to the outbox, in the caller's transaction; it is sent after the commit. */
export async function notifyUser(trx: Trx, userId: number, { text, shows, ...mail }: MailDraft): Promise<void> {
  await addDeliveries(trx, [{ ...mail, userId, senderId: userId, channel: 'email', body: text, shows: written(shows) }])
}

const written = (shows: MessageScope = null) => shows && JSON.stringify(shows)

/** Same for an address, which needs no user. `senderId` is the user who causes the mail; null for the product itself. */
export async function notifyAddress(
  trx: Trx,
  address: string,
  { text, shows, ...mail }: MailDraft & { senderId: number | null },
): Promise<void> {
  await addDeliveries(trx, [{ ...mail, address, channel: 'email', body: text, shows: written(shows) }])
}

type SecretMail = Pick<MailDraft, 'key' | 'subject' | 'text'> & { secret: string }

/** Same for a mail of the product whose text ends with a secret, which is stored sealed until it is sent. The address needs no confirmation. */
export async function notifyWithSecret(
  config: KeySource,
  trx: Trx,
  address: string,
  { text: body, secret, ...mail }: SecretMail,
): Promise<void> {
  const sealed = await sealSecret(config, endOf(mail.key), secret)
  await addDeliveries(trx, [{ ...mail, address, channel: 'secret-email', body, secret: sealed }])
}

/** Returns the secret end of a text. Throws 409 if this server's key doesn't open it. */
export const openEnd = (config: KeySource, key: string, sealed: string): Promise<string> =>
  openSecret(config, { name: endOf(key), called: 'The link of the email' }, sealed)
const endOf = (key: string) => `${key}.end`

/** `webhook` is a sealed address, `body` all data as JSON, and `webhookText` its text for people. */
type WebhookDraft = {
  key: string
  about: string
  subject: string
  webhook: string
  webhookFormat: WebhookFormat
  webhookTemplate: string | null
  webhookText: string
  body: string
  shows?: MessageScope
}

/** Same for a POST to a webhook that was sealed for a user; it is called with that user's permissions. */
export async function notifyWebhook(trx: Trx, userId: number, { shows, ...draft }: WebhookDraft): Promise<void> {
  await addDeliveries(trx, [{ ...draft, userId, channel: 'webhook', shows: written(shows) }])
}
