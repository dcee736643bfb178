import { counted } from '#events/contract/counted.ts'
import { randomUUID } from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { inTransaction } from '#server/platform/postgres/inTransaction.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { aboveLimit, readUserLimits } from '#server/platform/limits/userLimits.ts'

type Row = Insertable<Tables['deliveries']>

/** Reason of an email that exceeds the limit of its sender. */
export const limitReached = 'Not sent: its sender reached the limit of emails per hour'

/**
 * Adds mails and webhooks to the outbox, at most one per key. Mails above their sender's limit per hour are stored as
 * failed, with the reason; from twice the limit on they are not stored.
 */
export async function addDeliveries(trx: Trx, rows: readonly Row[]): Promise<void> {
  const { emailsPerHour: max } = await readUserLimits(trx)
  const sent = new Map<number, number>()
  const accepted: Row[] = []
  for (const row of rows) {
    const { senderId } = row
    if (row.channel !== 'email' || typeof senderId !== 'number') {
      accepted.push(row)
      continue
    }
    const count = sent.get(senderId) ?? (await countLately(trx, senderId))
    sent.set(senderId, count + 1)
    if (count < max) accepted.push(row)
    else if (count < 2 * max) accepted.push({ ...row, state: 'failed', reason: limitReached, triedAt: new Date() })
  }
  if (accepted.length === 0) return
  await trx
    .insertInto('deliveries')
    .values(accepted)
    .onConflict((on) => on.column('key').doNothing())
    .execute()
}

/** Emails of the last hour, also those that were refused. */
async function countLately(trx: Trx, senderId: number): Promise<number> {
  const { count } = await trx
    .selectFrom('deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('senderId', '=', senderId)
    .where('channel', '=', 'email')
    .where('createdAt', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Counts an email that is sent at once, such as a test. Throws 429 above the limit of its sender. */
export const countMail = (db: Db, senderId: number, address: string): Promise<void> =>
  inTransaction(db, async (trx) => {
    await trx.selectFrom('users').select('id').where('id', '=', senderId).forNoKeyUpdate().execute()
    const { emailsPerHour: max } = await readUserLimits(trx)
    if ((await countLately(trx, senderId)) >= max)
      throw aboveLimit('emailsPerHour', `You sent ${counted(max, 'email')} within an hour, the maximum.`, 600)
    const key = `test-${randomUUID()}`
    const state = { state: 'sent', triedAt: new Date() } as const
    await trx
      .insertInto('deliveries')
      .values({ key, senderId, address, channel: 'email', subject: 'Test', body: '', ...state })
      .execute()
  })
