import type { Trx } from '#server/platform/log/eventLog.ts'

/** `key` is unique for ever: what is told a second time under the same key is told once. `bundle` names files of `attachFiles`. */
type Telling = { key: string; subject: string; text: string; bundle?: string }

/** Puts a mail to a user into the outbox, with the caller's transaction; it goes out once that is over. */
export async function notifyUser(trx: Trx, userId: number, { text, ...mail }: Telling): Promise<void> {
  await trx
    .insertInto('deliveries')
    .values({ ...mail, userId, channel: 'email', body: text })
    .onConflict((on) => on.column('key').doNothing())
    .execute()
}

/** Likewise to an address that nobody here needs to have. */
export async function notifyAddress(trx: Trx, address: string, { text, ...mail }: Telling): Promise<void> {
  await trx
    .insertInto('deliveries')
    .values({ ...mail, address, channel: 'email', body: text })
    .onConflict((on) => on.column('key').doNothing())
    .execute()
}

/** Likewise a POST to a webhook that was sealed for a user, with whose rights it is called. */
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
