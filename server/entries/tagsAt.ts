import { hiddenTagPrefix } from '#events/tags.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { newestBy } from '#server/platform/clickhouse/newestBy.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { type Place, type PlaceColumns, placeColumns, placeKey, placeOf, rowsAt } from './places.ts'

/** A tag of an entry from one day (inclusive) to another (exclusive); days as `2026-11-22`. */
export type TagPeriod = Place & { tag: string; from: string; to: string }

type Row = { tag: string; from_date: string; to_date: string; version: number }
const rowColumns = sql`tag, from_date, to_date, version`
const isSeen = sql`NOT startsWith(tag, ${hiddenTagPrefix})`

/** The user-visible tags of the entries at these places, at any time. */
export const tagsAt = async (clickhouse: ClickHouse, places: readonly Place[]): Promise<TagPeriod[]> =>
  asPeriods(await rowsAt<Row>(clickhouse, places, { columns: rowColumns, from: sql`entry_tags`, where: isSeen }))

/** Reading more tag rows than this takes longer than querying the tags of a page. */
const maxRows = 2000

/** Same for everything directly in a folder of some volumes, by its `parent_path`; undefined if there are too many. */
export async function tagsIn(
  clickhouse: ClickHouse,
  { volumes, parentPath }: { volumes: number[]; parentPath: string },
): Promise<TagPeriod[] | undefined> {
  if (volumes.length === 0) return []
  const rows = await clickhouse.rows<PlaceColumns & Row>(
    sql`SELECT ${placeColumns}, ${rowColumns} FROM entry_tags
      WHERE volume IN ${volumes} AND parent_path = ${parentPath} AND ${isSeen} LIMIT ${maxRows + 1}`,
    { quick: true },
  )
  return rows.length > maxRows ? undefined : asPeriods(rows.map((row) => ({ ...row, ...placeOf(row) })))
}

/**
 * The newest version of each key counts. It is selected here, because `FINAL` takes the engine as long as the rest of
 * the statement.
 */
function asPeriods(rows: (Place & Row)[]): TagPeriod[] {
  const newest = newestBy(rows, (row) => `${row.from_date} ${placeKey(row)} ${row.tag}`)
  return newest.map(({ from_date: from, to_date: to, version: _, ...tagged }) => ({ ...tagged, from, to }))
}
