import { sql } from 'kysely'
import type { JobNotification } from '#events/notifications.ts'
import type { PageQuery } from '#events/page.ts'
import { checkSort } from '#server/platform/checkSort.ts'
import type { Db } from '#server/platform/postgres.ts'

const sortable = ['id', 'type', 'status'] as const

/** A page of what a user wants to be told of, each with what came of it last. */
export async function listNotifications(
  db: Db,
  userId: number,
  { page, size, sort = 'id', direction = 'asc' }: PageQuery,
) {
  checkSort(sort, sortable)
  const own = db.selectFrom('notifications').where('userId', '=', userId)
  const rows = await own
    .select(['id', 'type', 'status', 'email', 'webhook'])
    .orderBy(sort, direction)
    .orderBy('id', direction)
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await own.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const last = await lastDeliveries(
    db,
    rows.map(({ id }) => id),
  )
  const elements = rows.map((row): JobNotification => ({ ...row, lastDelivery: last.get(row.id) ?? null }))
  return { elements, page, size, total, sort, direction }
}

type LastDelivery = NonNullable<JobNotification['lastDelivery']>

/** Of the last event that was told of by mail and by webhook, the one that fares worse. */
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
