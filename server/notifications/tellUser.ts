import type { Trx } from '#server/platform/eventLog.ts'

/** `key` is unique for ever: what is told a second time under the same key is told once. */
type Telling = { key: string; subject: string; text: string }

/** Puts a mail to a user into the outbox, with the caller's transaction; it goes out once that is over. */
export async function tellUser(trx: Trx, userId: number, { key, subject, text }: Telling): Promise<void> {
  await trx
    .insertInto('deliveries')
    .values({ key, userId, channel: 'email', subject, body: text })
    .onConflict((on) => on.column('key').doNothing())
    .execute()
}
