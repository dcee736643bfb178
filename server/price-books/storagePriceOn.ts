import { type RawBuilder, sql } from 'kysely'
import type { StoragePrice } from '#events/price-books.ts'

/**
 * What a volume cost on a day, as a column of a query of both: by the price book that it had then, and the price that this
 * had then. Null without one.
 */
export const storagePriceOn = (volumeId: string, day: string): RawBuilder<StoragePrice | null> => {
  const newest = sql`ORDER BY since <= ${sql.ref(day)} DESC, abs(since - ${sql.ref(day)}) LIMIT 1`
  return sql<StoragePrice | null>`(
    SELECT json_build_object('id', book.id, 'description', book.description,
      'currencySymbol', applied.currency_symbol, 'price', applied.price)
    FROM (SELECT storage_price_id AS id FROM volume_price_changes WHERE volume_id = ${sql.ref(volumeId)} ${newest}) AS given
    JOIN storage_prices AS book ON book.id = given.id
    CROSS JOIN LATERAL (
      SELECT currency_symbol, price FROM storage_price_changes WHERE storage_price_id = book.id ${newest}) AS applied)`
}
