import { may } from '#events/contract/needs.ts'
import type { Input } from '#events/contract/endpoint.ts'
import type { PageQuery } from '#events/contract/page.ts'
import {
  type ChannelDraft,
  type channels,
  type NotificationChannel,
  type TestedDelivery,
} from '#events/notifications/channels.ts'
import {
  hiddenWebhook,
  hiddenWebhookRule,
  isHiddenWebhook,
  type WebhookFormat,
} from '#events/notifications/webhooks.ts'
import { streamNames } from '#events/streams.ts'
import type { Insertable } from 'kysely'
import { checkStored } from '#server/platform/crud/checkStored.ts'
import { listPage } from '#server/platform/crud/listPage.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Tables } from '#server/platform/postgres/tables.ts'
import { invalid, notFound } from '#server/platform/problem.ts'
import { sendTestMail, sendTestWebhook } from '../deliver.ts'
import { addDeliveries } from '../emails/addMails.ts'
import { acceptAdded } from '../emails/confirmedAddresses.ts'
import { refusedHost } from '../refusedAddresses.ts'
import { openWebhook, readWebhook, sealWebhook } from '../webhookAddress.ts'

type Config = Platform['config']
type Stores = Pick<Platform, 'db' | 'config'>
type Recipients = Omit<ChannelDraft, 'isTested' | 'name'>

const columns = ['id', 'name', 'kind', 'addresses', 'webhook', 'webhookTemplate', 'testedAt'] as const

/** A page of a user's channels. Webhooks are hidden except for their host. */
export async function listChannels({ db, config }: Stores, userId: number, query: PageQuery) {
  const own = db.selectFrom('channels').where('userId', '=', userId).select(columns)
  const page = await listPage(db, own, query, { sortable: ['id', 'name', 'kind'], sort: 'name' })
  const elements = await Promise.all(
    page.elements.map(async ({ testedAt, ...row }): Promise<NotificationChannel> => {
      const { webhook, isWebhookLost } = await readWebhook(config, userId, row.webhook)
      const hidden = webhook && hiddenWebhook(webhook)
      return { ...row, webhook: hidden, isWebhookLost, testedAt: testedAt?.toISOString() ?? null }
    }),
  )
  return { ...page, elements }
}

/** Adds a channel for the caller and returns its id. Throws 429 above the user's limit. */
export async function createChannel(
  config: Config,
  { trx, by, record }: Change<Caller>,
  draft: ChannelDraft,
): Promise<number> {
  await checkStored(trx, by, 'channelsPerUser', trx.selectFrom('channels').where('userId', '=', by.id))
  const row = {
    ...(await columnsOf(config, trx, by, draft)),
    userId: by.id,
    testedAt: draft.isTested ? new Date() : null,
  }
  const { id } = await trx.insertInto('channels').values(row).returning('id').executeTakeFirstOrThrow()
  await record(streamNames.channel(id), { after: audited(draft) })
  return id
}

/** Changes a channel. With another destination, it counts as not tested. */
export async function updateChannel(
  config: Config,
  { trx, by, record }: Change<Caller>,
  id: number,
  { isTested, ...draft }: ChannelDraft,
): Promise<void> {
  const before = (await lockOwn(trx, by.id, id)) ?? notFound('channel', id)
  const webhook = await knownWebhook(config, by.id, draft, before)
  const row = await columnsOf(config, trx, by, { ...draft, webhook }, before.addresses)
  const known = await readWebhook(config, by.id, before.webhook)
  const isSame = known.webhook === webhook && before.addresses.join() === draft.addresses.join()
  const testedAt = isTested ? new Date() : isSame ? before.testedAt : null
  await trx
    .updateTable('channels')
    .set({ ...row, testedAt })
    .where('id', '=', id)
    .execute()
  await record(streamNames.channel(id), {
    before: audited({ ...before, ...known }),
    after: audited({ ...draft, webhook }),
  })
}

/** Deletes a channel. Alerts and notifications that name it no longer send to it. */
export async function removeChannel(config: Config, { trx, by, record }: Change<Caller>, id: number): Promise<void> {
  const before = (await lockOwn(trx, by.id, id)) ?? notFound('channel', id)
  await trx.deleteFrom('channels').where('id', '=', id).execute()
  await record(streamNames.channel(id), {
    before: audited({ ...before, ...(await readWebhook(config, by.id, before.webhook)) }),
  })
}

const lockOwn = (trx: Trx, userId: number, id: number) => ownChannels(trx, userId, [id]).forUpdate().executeTakeFirst()

const ownChannels = (db: Db, userId: number, ids: readonly number[]) =>
  db
    .selectFrom('channels')
    .select(columns)
    .where('userId', '=', userId)
    .where('id', 'in', [0, ...ids])
    .orderBy('id')

/** The entered address, or the stored one if it was sent back hidden. */
async function knownWebhook(config: Config, userId: number, { webhook }: Recipients, row?: { webhook: string | null }) {
  if (webhook === null || !isHiddenWebhook(webhook)) return webhook
  const stored = row?.webhook ? await openWebhook(config, userId, row.webhook) : null
  return stored !== null && hiddenWebhook(stored) === webhook ? stored : invalid('webhook', hiddenWebhookRule)
}

async function columnsOf(
  config: Config,
  trx: Trx,
  by: Caller,
  draft: Omit<ChannelDraft, 'isTested'>,
  before: string[] = [],
) {
  const { name, kind, addresses, webhook, webhookTemplate } = draft
  checkRecipients(draft, by)
  await acceptAdded(trx, by, addresses, before)
  const isEmail = kind === 'EMAIL'
  return {
    name,
    kind,
    addresses: isEmail ? addresses : [],
    webhook: isEmail ? null : await sealWebhook(config, by.id, webhook),
    webhookTemplate: kind === 'TEMPLATE' ? webhookTemplate : null,
  }
}

/** Throws 400 if a user may not send to these recipients: addresses of others, and internal webhooks. */
function checkRecipients({ kind, addresses, webhook }: Recipients, { roles }: Pick<Caller, 'roles'>): void {
  if (kind === 'EMAIL' && addresses.length > 0 && !may(roles, 'settings.edit'))
    invalid('addresses', 'must be empty; only administrators may send to other addresses')
  if (webhook === null) return
  if (isHiddenWebhook(webhook)) invalid('webhook', hiddenWebhookRule)
  const refused = refusedHost(webhook, roles)
  if (refused) invalid('webhook', refused)
}

/** The record for the event log: the rest of a webhook's address is often as good as a password, and its template may contain one. */
const audited = ({ name, kind, addresses, webhook }: Omit<ChannelDraft, 'isTested' | 'webhookTemplate'>) => ({
  name,
  kind,
  addresses,
  webhook: webhook && `${URL.parse(webhook)?.origin ?? ''}/…`,
})

/** Throws 400 if a rule names channels, other than those it named before, that its user doesn't have. */
export async function checkChannels(
  trx: Trx,
  { id }: Pick<Caller, 'id'>,
  field: string,
  ids: readonly number[],
  before: readonly number[] = [],
): Promise<void> {
  const own = await ownChannels(trx, id, ids).execute()
  const unknown = ids.find((id) => !before.includes(id) && own.every((channel) => channel.id !== id))
  if (unknown !== undefined) invalid(field, `must be your channels; there is no ${unknown}`)
}

/** Message to channels. `key` is unique forever, `data` is what webhooks receive as JSON. */
type ChannelMessage = { key: string; about: string; subject: string; text: string; data: string }

type DeliveryRow = Insertable<Tables['deliveries']>

/** Rows of the outbox for a message to channels of a user, who may have lost the role that other addresses need. */
export async function channelDeliveries(
  trx: Trx,
  userId: number,
  ids: readonly number[],
  message: ChannelMessage,
): Promise<DeliveryRow[]> {
  if (ids.length === 0) return []
  const user = await trx.selectFrom('users').select('roles').where('id', '=', userId).executeTakeFirst()
  const { key, about, subject, text, data } = message
  const rows = await ownChannels(trx, userId, ids).execute()
  return rows.flatMap(({ id, kind, addresses, webhook, webhookTemplate }): DeliveryRow[] => {
    const common = { about, subject, channelId: id }
    if (kind !== 'EMAIL') {
      const format = { webhookFormat: kind, webhookTemplate, webhookText: text }
      return [{ ...common, key: `${key} channel-${id}`, channel: 'webhook', userId, webhook, ...format, body: data }]
    }
    const mail = { ...common, channel: 'email' as const, senderId: userId, body: text }
    const mayUse = may(user?.roles, 'settings.edit')
    return mayUse ? addresses.map((address) => ({ ...mail, key: `${key} channel-${id} ${address}`, address })) : []
  })
}

/** Adds a message to channels of a user to the outbox. Returns false if it has no recipient. */
export async function notifyChannels(
  trx: Trx,
  userId: number,
  ids: readonly number[],
  message: ChannelMessage,
): Promise<boolean> {
  const rows = await channelDeliveries(trx, userId, ids, message)
  await addDeliveries(trx, rows)
  return rows.length > 0
}

type Tester = Pick<Caller, 'id' | 'roles'>

/** Sends a test message to a channel as entered, and returns the result for each recipient. */
export async function testChannel(
  platform: Stores,
  { id, ...draft }: Input<typeof channels.test>['body'],
  by: Tester,
): Promise<TestedDelivery[]> {
  const stored = id === undefined ? undefined : await ownChannels(platform.db, by.id, [id]).executeTakeFirst()
  const webhook = await knownWebhook(platform.config, by.id, draft, stored)
  checkRecipients({ ...draft, webhook }, by)
  return testRecipients(platform, { ...draft, webhook }, by)
}

/** Same for stored channels of a user. */
export async function testChannels(platform: Stores, ids: readonly number[], by: Tester): Promise<TestedDelivery[]> {
  const rows = await ownChannels(platform.db, by.id, ids).execute()
  const tested = await Promise.all(
    rows.map(async (row) => {
      const open = async () => row.webhook && (await openWebhook(platform.config, by.id, row.webhook))
      const webhook = await open().catch((error: Error) => error)
      if (webhook instanceof Error) return [{ to: row.name, error: webhook.message }]
      return testRecipients(platform, { ...row, webhook }, by)
    }),
  )
  return tested.flat()
}

async function testRecipients(
  platform: Stores,
  { kind, addresses, webhook, webhookTemplate, name }: Omit<ChannelDraft, 'isTested'>,
  { id, roles }: Tester,
): Promise<TestedDelivery[]> {
  if (kind === 'EMAIL') {
    const others = may(roles, 'settings.edit') ? addresses : []
    return Promise.all(others.map((address) => tested(address, sendTestMail(platform, id, address))))
  }
  const test = { webhook: webhook ?? '', webhookFormat: kind as WebhookFormat, webhookTemplate }
  return [await tested(name, sendTestWebhook(test, roles, platform.config))]
}

/** Result of a test message for one recipient. */
export const tested = (to: string, sending: Promise<void>): Promise<TestedDelivery> =>
  sending.then(
    () => ({ to, error: null }),
    (error: Error) => ({ to, error: error.message }),
  )
