import type { Db } from '#server/platform/postgres/postgres.ts'

/** State of a delivery: `waiting` is retried, `failed` is not; the reason is that of the last failed attempt. */
export type DeliveryState = { state: 'sent' | 'waiting' | 'failed'; reason: string | null }

/** States of deliveries by their keys. Finished ones are deleted after 30 days. */
export async function deliveryStates(db: Db, keys: readonly string[]): Promise<Map<string, DeliveryState>> {
  if (keys.length === 0) return new Map()
  const rows = await db.selectFrom('deliveries').select(['key', 'state', 'reason']).where('key', 'in', keys).execute()
  return new Map(rows.map(({ key, ...state }) => [key, state]))
}

/** Deliveries whose keys begin with one of the prefixes, with their recipients. */
export async function deliveriesOf(db: Db, prefixes: readonly string[]) {
  if (prefixes.length === 0) return []
  const rows = await db
    .selectFrom('deliveries')
    .select(['key', 'address', 'channel', 'state', 'reason'])
    .where(({ or, eb }) => or(prefixes.map((prefix) => eb('key', 'like', `${prefix}%`))))
    .orderBy('id')
    .execute()
  return rows.map(({ key, address, channel, ...state }) => ({
    key,
    to: address ?? (channel === 'webhook' ? 'Webhook' : 'User'),
    ...state,
  }))
}
