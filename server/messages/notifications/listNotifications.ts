import { sql } from 'kysely'
import type { JobNotification } from '#events/notifications/calls.ts'
import type { PageQuery } from '#events/contract/page.ts'
import { listPage } from '#server/platform/crud/listPage.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

import { readWebhook } from './webhookAddress.ts'

const sortable = ['id', 'type', 'status'] as const

/** A page of a user's notifications, each with its last result. */
export async function listNotifications(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  userId: number,
  query: PageQuery,
) {
  const own = db
    .selectFrom('notifications')
    .where('userId', '=', userId)
    .select(['id', 'type', 'status', 'email', 'webhook', 'webhookFormat', 'webhookTemplate', 'channelIds'])
  const page = await listPage(db, own, query, { sortable, sort: 'id' })
  const ids = page.elements.map(({ id }) => id)
  const last = await lastDeliveries(db, ids)
  const elements = await Promise.all(
    page.elements.map(async (row): Promise<JobNotification> => ({
      ...row,
      ...(await readWebhook(config, userId, row.webhook)),
      lastDelivery: last.get(row.id) ?? null,
    })),
  )
  return { ...page, elements }
}

type LastDelivery = NonNullable<JobNotification['lastDelivery']>

/** The last event's delivery by mail or webhook, the worse of the two. */
async function lastDeliveries(db: Db, ids: number[]): Promise<Map<number | null, LastDelivery>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('deliveries')
    .distinctOn('notificationId')
    .select(['notificationId', 'state', 'reason', 'triedAt', 'createdAt'])
    .where('notificationId', 'in', ids)
    .orderBy('notificationId')
    .orderBy('position', 'desc')
    .orderBy(sql`array_position(ARRAY['failed', 'waiting', 'sent'], state)`)
    .execute()
  return new Map(
    rows.map(({ notificationId, state, reason, triedAt, createdAt }) => [
      notificationId,
      { at: (triedAt ?? createdAt).toISOString(), state, reason },
    ]),
  )
}
