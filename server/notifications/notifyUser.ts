import type { Trx } from '#server/platform/log/eventLog.ts'

/** `key` is unique forever: at most one delivery per key. `bundle` names files of `attachFiles`. */
type MailDraft = { key: string; subject: string; text: string; bundle?: string }

/** Adds a mail to a user to the outbox, in the caller's transaction; it is sent after the commit. */
export async function notifyUser(trx: Trx, userId: number, { text, ...mail }: MailDraft): Promise<void> {
  await trx
    .insertInto('deliveries')
    .values({ ...mail, userId, channel: 'email', body: text })
    .onConflict((on) => on.column('key').doNothing())
    .execute()
}

/** Same for an address, which needs no user. */
export async function notifyAddress(trx: Trx, address: string, { text, ...mail }: MailDraft): Promise<void> {
  await trx
    .insertInto('deliveries')
    .values({ ...mail, address, channel: 'email', body: text })
    .onConflict((on) => on.column('key').doNothing())
    .execute()
}

/** Same for a POST to a webhook that was sealed for a user; it is called with that user's permissions. */
export async function notifyWebhook(
  trx: Trx,
  userId: number,
  { key, subject, webhook, body }: { key: string; subject: string; webhook: string; body: string },
): Promise<void> {
  await trx
    .insertInto('deliveries')
    .values({ key, userId, channel: 'webhook', webhook, subject, body })
    .onConflict((on) => on.column('key').doNothing())
    .execute()
}
