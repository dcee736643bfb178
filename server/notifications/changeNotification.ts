import type { JobNotificationDraft } from '#events/notifications.ts'
import { recordChange } from '#server/platform/audit.ts'
import type { Trx } from '#server/platform/eventLog.ts'
import type { Db } from '#server/platform/postgres.ts'
import { invalid, notFound } from '#server/platform/problem.ts'
import type { Caller } from '#server/platform/route.ts'
import { refusedHost } from './refusedAddresses.ts'

/** Keeps what the caller wants to be told of; returns its id. */
export async function createNotification(db: Db, draft: JobNotificationDraft, by: Caller): Promise<number> {
  checkDraft(draft, by)
  return db.transaction().execute(async (trx) => {
    const row = { ...draft, userId: by.id }
    const { id } = await trx.insertInto('notifications').values(row).returning('id').executeTakeFirstOrThrow()
    await recordChange(trx, streamOf(id), by, { after: told(draft) })
    await beginNow(trx, id)
    return id
  })
}

export async function updateNotification(db: Db, id: number, draft: JobNotificationDraft, by: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await lockOwn(trx, id, by)
    checkDraft(draft, by)
    await trx.updateTable('notifications').set(draft).where('id', '=', id).execute()
    await recordChange(trx, streamOf(id), by, { before: told(before), after: told(draft) })
    await beginNow(trx, id)
  })
}

/** What waited to be sent for it is not sent any more. */
export async function removeNotification(db: Db, id: number, by: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await lockOwn(trx, id, by)
    await trx.deleteFrom('notifications').where('id', '=', id).execute()
    await recordChange(trx, streamOf(id), by, { before: told(before) })
  })
}

const streamOf = (id: number): string => `notification-${id}`

/** Nobody is told of jobs that ended before they asked, however far behind the follower of the log is. */
async function beginNow(trx: Trx, id: number): Promise<void> {
  await trx
    .updateTable('notifications')
    .set(({ selectFrom }) => ({
      since: selectFrom('events').select(({ fn }) => fn.max('position').as('newest')),
    }))
    .where('id', '=', id)
    .execute()
}

/** Those of others are unknown to the caller. */
async function lockOwn(trx: Trx, id: number, { id: userId }: Caller): Promise<JobNotificationDraft> {
  const own = trx
    .selectFrom('notifications')
    .select(['type', 'status', 'email', 'webhook'])
    .where('userId', '=', userId)
    .where('id', '=', id)
  return (await own.forUpdate().executeTakeFirst()) ?? notFound('job notification', id)
}

function checkDraft({ email, webhook }: JobNotificationDraft, { roles }: Caller): void {
  if (!email && webhook === null) invalid('webhook', 'is required when no mail is sent')
  const refused = webhook && refusedHost(webhook, roles)
  if (refused) invalid('webhook', refused)
}

/** As the event log tells it: the rest of a webhook's address is often as good as a password. */
const told = ({ webhook, ...draft }: JobNotificationDraft) => ({
  ...draft,
  webhook: webhook && `${new URL(webhook).origin}/…`,
})
