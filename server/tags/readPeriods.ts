import { hiddenTagPrefix } from '#events/tags.ts'
import { type Place, placeKey, rowsAt } from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/sql.ts'
import type { Period } from './planTags.ts'

/** The tags that users see and that entries have on a day or after it, by the keys of the entries' places. */
export async function readPeriods(
  clickhouse: ClickHouse,
  entries: Place[],
  day: string,
): Promise<Map<string, Period[]>> {
  const rows = await rowsAt<Period>(clickhouse, entries, {
    columns: sql`tag, toString(from_date) AS from, toString(to_date) AS to`,
    from: sql`entry_tags FINAL`,
    where: sql`to_date > ${day} AND NOT startsWith(tag, ${hiddenTagPrefix})`,
  })
  return Map.groupBy(rows, placeKey)
}
