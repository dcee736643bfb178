import { type RawBuilder, sql } from 'kysely'
import type { StoragePrice } from '#events/price-books.ts'

/**
 * The price of a volume on a day, as a column of a query of both: from its price book and prices on that day, and the
 * storage classes of its snapshot of the day. Null without a price book.
 */
export const storagePriceOn = (volumeId: string, day: string): RawBuilder<StoragePrice | null> =>
  sql<StoragePrice | null>`(
    SELECT json_build_object('id', book.id, 'description', book.description,
      'currencySymbol', applied.currency_symbol, 'price', coalesce(mix.price, applied.price),
      'classes', coalesce(mix.classes, '[]'))
    ${appliedOn(volumeId, day)}
    JOIN storage_prices AS book ON book.id = given.id
    CROSS JOIN LATERAL (${mixOf(sql.ref(volumeId), sql.ref(day))}) AS mix)`

/**
 * The price of one storage class of a volume on a day; the empty class is the price of all classes without their own.
 */
export const classPriceOn = (volumeId: string, day: string, storageClass: string) =>
  sql<{ currencySymbol: string; price: number } | null>`(
    SELECT json_build_object('currencySymbol', applied.currency_symbol, 'price', coalesce(own.price, applied.price))
    ${appliedOn(volumeId, day)}
    LEFT JOIN LATERAL ${pricesOfClasses} ON lower(own."storageClass") = lower(${sql.ref(storageClass)}))`

/** Order in which the first row with a `since` is in effect on a day: the newest one up to it, or else the first one. */
export const inEffectOn = (day: RawBuilder<unknown>) => sql`since <= ${day} DESC, abs(since - ${day})`

/** The price book of a volume on a day, and its prices then. */
function appliedOn(volumeId: string, day: string) {
  const newest = sql`ORDER BY ${inEffectOn(sql.ref(day))} LIMIT 1`
  return sql`
    FROM (SELECT storage_price_id AS id FROM volume_price_changes WHERE volume_id = ${sql.ref(volumeId)} ${newest}) AS given
    CROSS JOIN LATERAL (
      SELECT currency_symbol, price, class_prices FROM storage_price_changes
      WHERE storage_price_id = given.id ${newest}) AS applied`
}

const pricesOfClasses = sql`jsonb_to_recordset(applied.class_prices) AS own("storageClass" text, price double precision)`

/** The volume's average price over its classes, weighted by bytes, and the classes if their prices differ. */
const mixOf = (volumeId: RawBuilder<unknown>, day: RawBuilder<unknown>) => sql`
  SELECT CASE WHEN min(price) = max(price) THEN min(price) ELSE sum(bytes * price) / sum(bytes) END AS price,
    CASE WHEN min(price) < max(price) THEN json_agg(
      json_build_object('storageClass', storage_class, 'price', price, 'sizeOfFiles', bytes)
      ORDER BY bytes DESC, storage_class) END AS classes
  FROM (
    SELECT held.key AS storage_class, held.value::double precision AS bytes, coalesce(own.price, applied.price) AS price
    FROM snapshots AS shown
    JOIN scans AS made ON made.id = shown.scan_id
    CROSS JOIN LATERAL jsonb_each_text(made.class_bytes) AS held
    LEFT JOIN LATERAL ${pricesOfClasses}
      ON lower(own."storageClass") = lower(held.key)
    WHERE shown.volume_id = ${volumeId} AND shown.indexing_date = ${day}
      AND applied.class_prices != '[]' AND held.value::double precision > 0) AS priced`
