import { may } from '#events/contract/needs.ts'
import { hiddenWebhook, hiddenWebhookRule, isHiddenWebhook } from '#events/notifications/webhooks.ts'
import type { ReportChange, ReportDelivery } from '#events/reports/templates.ts'
import { readWebhook, sealWebhook } from '#server/messages/notifications/index.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { invalid } from '#server/platform/problem.ts'

type Config = Platform['config']
type Stores = Pick<Platform, 'db' | 'config'>
type Reader = Pick<Caller, 'id' | 'roles'>

/** The columns of a report's webhook: the sealed address, and the user who entered it. */
type WebhookColumns = { webhook: string | null; webhookUser: number | null }
type Stored = WebhookColumns & {
  delivery: Omit<ReportDelivery, 'webhook'>
  cron: string | null
  paused: boolean
}

/**
 * A webhook is called with the permissions of the user who entered it, and its address is often as good as a password.
 * So it is theirs: other users neither read the address nor cause calls.
 */
export const mayUseWebhook = (webhookUser: number | null, { id, roles }: Reader): boolean =>
  webhookUser === null || webhookUser === id || may(roles, 'settings.edit')

/** Returns whether the user of a webhook was deleted. */
export async function isUserDeleted(db: Db, webhookUser: number): Promise<boolean> {
  return !(await db.selectFrom('users').select('id').where('id', '=', webhookUser).executeTakeFirst())
}

/** The address of a webhook, if it is still called: it isn't once its user was deleted. */
async function readCalled({ db, config }: Stores, { webhook: sealed, webhookUser }: WebhookColumns) {
  const isWebhookUserDeleted = sealed !== null && webhookUser !== null && (await isUserDeleted(db, webhookUser))
  const opened = await readWebhook(config, webhookUser ?? 0, isWebhookUserDeleted ? null : sealed)
  return { ...opened, isWebhookUserDeleted }
}

/** The address for a reader; that of another user's webhook without its path. */
export async function shownWebhook(stores: Stores, columns: WebhookColumns, by: Reader) {
  const { webhook, ...state } = await readCalled(stores, columns)
  return { webhook: webhook && (mayUseWebhook(columns.webhookUser, by) ? webhook : hiddenWebhook(webhook)), ...state }
}

/** The columns of an entered address: it can be opened for the user who entered it. Throws 400 for a hidden one. */
export async function sealedWebhook(config: Config, { id }: Reader, webhook: string | null): Promise<WebhookColumns> {
  if (webhook === null) return { webhook, webhookUser: null }
  if (isHiddenWebhook(webhook)) invalid('delivery.webhook', hiddenWebhookRule)
  return { webhook: await sealWebhook(config, id, webhook), webhookUser: id }
}

/**
 * The columns after a change. An unchanged address, also without its path, stays that of its user. Throws 400 for
 * changes that cause other calls to another user's webhook.
 */
export async function changedWebhook(
  stores: Stores,
  by: Reader,
  { delivery, schedule }: Pick<ReportChange, 'delivery' | 'schedule'>,
  before: Stored,
): Promise<Partial<WebhookColumns>> {
  const { webhook: known } = await readCalled(stores, before)
  const given = delivery === undefined ? known : delivery.webhook
  const isKept = known !== null && (given === known || given === hiddenWebhook(known))
  if (isKept && !mayUseWebhook(before.webhookUser, by)) checkCalls(delivery, schedule, before)
  return delivery === undefined || isKept ? {} : sealedWebhook(stores.config, by, given)
}

/** Throws 400 for changes of the calls, or more of them. A schedule may be paused or removed. */
function checkCalls(delivery: ReportDelivery | undefined, schedule: ReportChange['schedule'], before: Stored): void {
  const belongs = 'belongs to the webhook of another user. Remove that webhook first.'
  for (const field of ['webhookFormat', 'webhookTemplate', 'when'] as const)
    if (delivery && delivery[field] !== before.delivery[field]) invalid(`delivery.${field}`, belongs)
  const startsOthers = schedule && !schedule.paused && (schedule.cron !== before.cron || before.paused)
  if (startsOthers) invalid('schedule.cron', 'calls the webhook of another user. Remove that webhook first.')
}
