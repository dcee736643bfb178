import { hiddenTagPrefix } from '#events/tags.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { newestBy } from '#server/platform/clickhouse/newestBy.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { type SeenFolders, withinScope } from '#server/content/snapshots/reading/withinScope.ts'
import { validOn } from './conditions.ts'
import { type Place, type PlaceColumns, placeColumns, placeHash, placeKey, placeOf, rowsAt } from './places.ts'

/** A tag of an entry from one day (inclusive) to another (exclusive); days as `2026-11-22`. */
export type TagPeriod = Place & { tag: string; from: string; to: string }

type Row = { tag: string; from_date: string; to_date: string; version: number }
const rowColumns = sql`tag, from_date, to_date, version`
const isSeen = sql`NOT startsWith(tag, ${hiddenTagPrefix})`
const isSeenBy = (shown: SeenFolders): Sql => sql`${isSeen} AND ${withinScope(shown) ?? sql`1`}`

/** Condition on rows of `entry_tags`: users see this tag on the snapshot's day, in one of its volumes. */
export const isSeenIn = (snapshot: Snapshot): Sql =>
  sql`volume IN ${snapshot.volumes.map(({ volumeId }) => volumeId)} AND ${validOn(snapshot.indexingDate)} AND ${isSeenBy(snapshot)}`

/**
 * The first of the tags of each entry in alphabetical order, as a column `first_tag` of a FROM with this behind it, empty without any. A join:
 * looking up a million tags in a map takes four times as long.
 */
export const withFirstTag = (snapshot: Snapshot): Sql => sql`
  AS listed LEFT ANY JOIN (
    SELECT ${placeHash} AS tagged_place, argMin(tag, naturalSortKey(lowerUTF8(tag))) AS first_tag FROM entry_tags FINAL WHERE ${isSeenIn(snapshot)} GROUP BY tagged_place
  ) AS tagged ON ${placeHash} = tagged_place`

/** The user-visible tags of the snapshot's entries at these places, at any time. */
export const tagsAt = async (
  clickhouse: ClickHouse,
  places: readonly Place[],
  shown: SeenFolders,
): Promise<TagPeriod[]> =>
  asPeriods(
    await rowsAt<Row>(clickhouse, places, { columns: rowColumns, from: sql`entry_tags`, where: isSeenBy(shown) }),
  )

/** Reading more tag rows than this takes longer than querying the tags of a page. */
const maxRows = 2000

/** Same for everything directly in a folder of the snapshot's volumes, by its `parent_path`; undefined if there are too many. */
export async function tagsIn(
  clickhouse: ClickHouse,
  shown: SeenFolders,
  parentPath: string,
): Promise<TagPeriod[] | undefined> {
  const volumes = shown.volumes.map(({ volumeId }) => volumeId)
  if (volumes.length === 0) return []
  const rows = await clickhouse.rows<PlaceColumns & Row>(
    sql`SELECT ${placeColumns}, ${rowColumns} FROM entry_tags
      WHERE volume IN ${volumes} AND parent_path = ${parentPath} AND ${isSeenBy(shown)} LIMIT ${maxRows + 1}`,
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
