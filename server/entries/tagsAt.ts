import { hiddenTagPrefix } from '#events/tags.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { newestBy } from '#server/platform/newestBy.ts'
import { sql } from '#server/platform/sql.ts'
import { type Place, placeKey, rowsAt } from './places.ts'

/** A tag that an entry has from a day on and before another one; days as `2026-11-22`. */
export type TagPeriod = Place & { tag: string; from: string; to: string }

/**
 * The tags that users see and that entries at these places have at any time. Of the rows with one key the newest version
 * counts; it is chosen here, for `FINAL` takes the engine as long as all the rest of the statement.
 */
export async function tagsAt(clickhouse: ClickHouse, places: readonly Place[]): Promise<TagPeriod[]> {
  const rows = await rowsAt<Row>(clickhouse, places, {
    columns: sql`tag, from_date, to_date, version`,
    from: sql`entry_tags`,
    where: sql`NOT startsWith(tag, ${hiddenTagPrefix})`,
  })
  const newest = newestBy(rows, (row) => `${row.from_date} ${placeKey(row)} ${row.tag}`)
  return newest.map(({ from_date: from, to_date: to, version: _, ...tagged }) => ({
    ...tagged,
    from,
    to,
  }))
}

type Row = { tag: string; from_date: string; to_date: string; version: number }
