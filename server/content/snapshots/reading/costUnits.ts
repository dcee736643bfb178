import type { Db } from '#server/platform/postgres/postgres.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { storagePriceOn } from '#server/content/price-books/index.ts'
import { billedBytes } from './billedBytes.ts'
import { perVolume } from './perVolume.ts'
import type { Snapshot } from './snapshotAt.ts'

/**
 * The snapshot with the prices of its volumes, if its entries are sorted by `cost`. Other queries don't need them, and
 * nearly every one reads its snapshot first.
 */
export async function withPrices(db: Db, snapshot: Snapshot, sort?: string): Promise<Snapshot> {
  if (sort !== 'cost' || snapshot.volumes.length === 0) return snapshot
  const rows = await db
    .selectFrom('snapshots')
    .select(['volumeId', storagePriceOn('snapshots.volumeId', 'snapshots.indexingDate').as('book')])
    .where('indexingDate', '=', snapshot.indexingDate)
    .execute()
  return { ...snapshot, prices: new Map(rows.map(({ volumeId, book }) => [volumeId, book?.price ?? 0])) }
}

/**
 * The cost of an entry for sorting: bytes times the average price per GB and year of its volume, 0 without a price book.
 * Prices in different currencies count as if they were one.
 */
export function costUnits(snapshot: Snapshot): Sql {
  const { volumes, prices = noPrices } = snapshot
  return sql`${billedBytes(snapshot)} * ${perVolume(volumes, ({ volumeId }) => prices.get(volumeId) ?? 0, 0)}`
}
const noPrices: ReadonlyMap<number, number> = new Map()
