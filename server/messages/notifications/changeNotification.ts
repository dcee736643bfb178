import { streamNames } from '#events/streams.ts'
import { may } from '#events/contract/needs.ts'
import type { JobNotificationDraft } from '#events/notifications/calls.ts'
import { checkStored } from '#server/platform/crud/checkStored.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { invalid, notFound } from '#server/platform/problem.ts'
import type { Caller } from '#server/platform/http/route.ts'
import { checkChannels } from './channels/channels.ts'
import { readWebhook, sealWebhook } from './webhookAddress.ts'
import { refusedHost } from './refusedAddresses.ts'
import { lockUser } from '#server/access/users/index.ts'

type Config = Platform['config']

/** Adds a notification for the caller and returns its id. Throws 429 above the user's limit. */
export async function createNotification(
  config: Config,
  { trx, by, record }: Change<Caller>,
  draft: JobNotificationDraft,
): Promise<number> {
  await checkDraft(trx, draft, by)
  await checkStored(trx, by, 'notificationsPerUser', trx.selectFrom('notifications').where('userId', '=', by.id))
  const row = { ...draft, userId: by.id, webhook: await sealWebhook(config, by.id, draft.webhook) }
  const { id } = await trx.insertInto('notifications').values(row).returning('id').executeTakeFirstOrThrow()
  await record(streamNames.notification(id), { after: audited(draft) })
  await beginNow(trx, id)
  return id
}

export async function updateNotification(
  config: Config,
  { trx, by, record }: Change<Caller>,
  id: number,
  draft: JobNotificationDraft,
): Promise<void> {
  const before = await lockOwn(config, trx, id, by)
  await checkDraft(trx, draft, by, before.channelIds)
  const webhook = await sealWebhook(config, by.id, draft.webhook)
  await trx
    .updateTable('notifications')
    .set({ ...draft, webhook })
    .where('id', '=', id)
    .execute()
  await record(streamNames.notification(id), { before: audited(before), after: audited(draft) })
  await beginNow(trx, id)
}

/** Deletes a notification; its waiting deliveries are not sent, and those that were sent stay. */
export async function removeNotification(
  config: Config,
  { trx, by, record }: Change<Caller>,
  id: number,
): Promise<void> {
  const before = await lockOwn(config, trx, id, by)
  const waiting = trx.deleteFrom('deliveries').where('notificationId', '=', id).where('state', '=', 'waiting')
  await waiting.execute()
  await trx.deleteFrom('notifications').where('id', '=', id).execute()
  await record(streamNames.notification(id), { before: audited(before) })
}

/** No notifications for jobs that ended before the request, even if the follower of the log is behind. */
async function beginNow(trx: Trx, id: number): Promise<void> {
  await trx
    .updateTable('notifications')
    .set(({ selectFrom }) => ({
      since: selectFrom('events').select(({ fn }) => fn.max('position').as('newest')),
    }))
    .where('id', '=', id)
    .execute()
}

/** Locks a notification of the caller; those of other users are reported as unknown. */
async function lockOwn(config: Config, trx: Trx, id: number, { id: userId }: Caller) {
  const own = await trx
    .selectFrom('notifications')
    .select(['type', 'status', 'email', 'webhook', 'webhookFormat', 'webhookTemplate', 'channelIds'])
    .where('userId', '=', userId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!own) return notFound('job notification', id)
  const { webhook, isWebhookLost } = await readWebhook(config, userId, own.webhook)
  return { ...own, webhook: isWebhookLost ? lost : webhook }
}

async function checkDraft(
  trx: Trx,
  draft: JobNotificationDraft,
  by: Caller,
  before?: readonly number[],
): Promise<void> {
  const { email, webhook, channelIds } = draft
  if (!email && webhook === null && channelIds.length === 0) invalid('webhook', 'is required when no mail is sent')
  await checkChannels(trx, by, 'channelIds', channelIds, before)
  const refused = webhook && refusedHost(webhook, by.roles)
  if (refused) invalid('webhook', refused)
}

/** The record for the event log: the rest of a webhook's address is often as good as a password, and its template may contain one. */
const audited = ({ webhook, webhookTemplate: _, ...draft }: JobNotificationDraft) => ({
  ...draft,
  webhook: webhook && (webhook === lost ? lost : `${new URL(webhook).origin}/…`),
})

const lost = '(lost)'

/**
 * Changes the address of mails to the caller; waiting mails go to the new one. It receives none before it is confirmed,
 * unless an administrator entered it.
 */
export async function changeOwnEmail({ trx, by, record }: Change<Caller>, email: string | null): Promise<void> {
  const { user: before } = await lockUser(trx, by.id)
  if (before.email === email) return
  const isAccepted = may(by.roles, 'settings.edit')
  await trx
    .updateTable('users')
    .set({ email, ...(isAccepted && { confirmedEmail: email }) })
    .where('id', '=', by.id)
    .execute()
  await record(streamNames.user(by.id), { before, after: { ...before, email } })
}
