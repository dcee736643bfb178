import type { comparedSorts } from '#events/folders/browse.ts'
import { entriesOf } from '#server/content/entries/selectEntries.ts'
import { sortable, sortBy } from '#server/content/entries/order.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { TwoSnapshots } from '#server/content/snapshots/reading/twoSnapshots.ts'

/** Entries of the same storages and condition in two snapshots. */
export type Pair = TwoSnapshots & { storages: number[]; where: Sql }

/** Change of an entry. */
export type Change = { fileId: string; isHere: boolean; isNew: boolean; delta: number | null }

type ComparedSort = (typeof comparedSorts)[number]

/** The change of each entry in either snapshot, with the sort key of the list; for use in a FROM. */
export const changesBetween = (pair: Pair, by: ComparedSort): Sql => sql`(
  SELECT id, any(childName) AS name, any(storage) AS volumeId, max(isNow) AS isHere, min(isNow) AS isNew,
    sumIf(bytes, isNow) AS newSize, sumIf(bytes, NOT isNow) AS oldSize,
    multiIf(
      isNew, if(newSize < 0, NULL, newSize),
      NOT isHere, if(oldSize < 0, NULL, -oldSize),
      if(newSize < 0 OR oldSize < 0, NULL, newSize - oldSize)) AS delta,
    ${sortKey(by)} AS sortKey
  FROM (
    ${versions(pair, 'now', by)} UNION ALL
    ${versions(pair, 'before', by)})
  GROUP BY id)`

/** Deleted entries have no size. Unknown changes sort as zero. */
function sortKey(by: ComparedSort): Sql {
  if (by === 'delta') return sql`ifNull(delta, 0)`
  if (by === 'absoluteDelta') return sql`abs(ifNull(delta, 0))`
  return by === 'size' ? sql`if(isHere, newSize, -1)` : sql`argMax(ownKey, isNow)`
}

function versions(pair: Pair, side: 'now' | 'before', by: ComparedSort): Sql {
  const { key, ...sort } = by === 'delta' || by === 'absoluteDelta' ? { key: sql`0` } : sortBy(by, pair[side])
  return sql`
    SELECT file_id AS id, name AS childName, volume AS storage, size AS bytes, ${key} AS ownKey, ${side === 'now'} AS isNow
    FROM ${sortable(entriesOf(pair[side], pair.storages), sort)} WHERE ${pair.where}`
}

/** The order of entry lists, with the place as the last key. */
export const inOrderOf = (direction: 'asc' | 'desc'): Sql =>
  sql`${direction === 'asc' ? sql`sortKey ASC` : sql`sortKey DESC`}, name, volumeId, id`
