import type { Db } from '#server/platform/postgres/postgres.ts'

/** Deliveries whose keys begin with one of the prefixes, with their recipients. */
export async function deliveriesOf(db: Db, prefixes: readonly string[]) {
  if (prefixes.length === 0) return []
  const rows = await db
    .selectFrom('deliveries')
    .leftJoin('channels', 'channels.id', 'deliveries.channelId')
    .select(['key', 'address', 'channel', 'state', 'reason', 'channels.name'])
    .where(({ or, eb }) => or(prefixes.map((prefix) => eb('key', 'like', `${prefix}%`))))
    .orderBy('deliveries.id')
    .execute()
  return rows.map(({ key, address, channel, name, ...state }) => ({
    key,
    to: name ?? address ?? (channel === 'webhook' ? 'Webhook' : 'Your address'),
    ...state,
  }))
}
