import { ageStarts, type Dominant, type DominantBelow, type DominantField, mapAges } from '#events/folders/map.ts'
import { entriesOf, inStorages, queryOptions } from '#server/content/entries/selectEntries.ts'
import { below, isKnown, sortedSeconds } from '#server/content/entries/conditions.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { asOf } from '#server/content/snapshots/reading/asOf.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { findMapped, type MapRow } from './largestIn.ts'
import { minOpenedShare, maxEntries } from './mapFolder.ts'

type Query = { path: string; storageId: number; levels: number; by: DominantField }

/** The SQL value that groups files; ages are relative to the day of the snapshot, and '' if unknown. */
const valueOf = (by: DominantField, snapshot: Snapshot): Sql => {
  if (by !== 'age') return by === 'owner' ? sql`owner` : sql`extension`
  const age = sql`length(arrayFilter(first -> ${sortedSeconds('last_used', snapshot)} < first, ${ageStarts(snapshot.indexingDate)}))`
  return sql`if(${isKnown('last_used', snapshot)}, toString(${age}), '')`
}

/** Queries that read more files than this wait in the queue of heavy queries. */
const manyFiles = 100_000

/** The dominant file type, owner or age of a map's folders; undefined if the snapshot doesn't have the folder. */
export async function findDominantBelow(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  { path, storageId, levels, by }: Query,
): Promise<DominantBelow | undefined> {
  const from = entriesOf(snapshot, [storageId])
  const root = await findMapped(clickhouse, { from, unrecordedAccess: snapshot.unrecordedAccess }, path)
  if (!root) return undefined
  const where = sql`${below(root.path)} AND NOT is_directory AND size > 0`
  const value = valueOf(by, snapshot)
  const folders = await clickhouse.rows<Row>(
    largestParts({ from, where, value, drawn: drawnFolders(from, root, levels), all: by === 'age' }),
    queryOptions({ from, where, heavy: root.filesBelow > manyFiles }),
  )
  return {
    storageId,
    path: root.path || '/',
    by,
    indexingDate: snapshot.indexingDate,
    ...asOf(inStorages(snapshot, [storageId]).volumes),
    folders: folders.map(({ path, parts, ...largest }) => ({
      path: path || '/',
      ...largest,
      ...(parts && { ages: mapAges.map((_, age) => parts.find(([value]) => value === `${age}`)?.[1] ?? 0) }),
    })),
  }
}

type Row = Dominant & { parts?: [value: string, bytes: number][] }

type DrawnFolders = {
  /** The deepest folder of the map that contains a file's row. */
  deepest: Sql
  /** That folder and the map's folders above it. */
  above: (deepest: Sql) => Sql
}

/**
 * The folders that a map of some levels draws. It doesn't open folders below a share of the whole, so everything below
 * such a folder is summed up in it: a folder with a million subfolders is one group instead of a million.
 */
function drawnFolders(from: Sql, { path, bytes }: MapRow, levels: number): DrawnFolders {
  const depth = path.split('/').length - 1
  const opened = sql`
    SELECT concat(parent_path, name) FROM ${from}
    WHERE is_directory AND depth < ${depth + levels} AND ${below(path)} AND size >= ${bytes * minOpenedShare}`
  const holder = sql`substring(parent_path, 1, length(parent_path) - 1)`
  /** A folder or its ancestor at this level below the mapped folder. */
  const atLevel = (folder: Sql, level: number) => sql`substringIndex(${folder}, '/', ${depth + 1 + level})`
  let folder = atLevel(holder, levels)
  for (let level = levels - 1; level > 0; level--)
    folder = sql`if(${atLevel(holder, level)} IN (${opened}), ${folder}, ${atLevel(holder, level)})`
  const above = (folder: Sql) => {
    const every = Array.from({ length: levels + 1 }, (_, level) => atLevel(folder, level))
    return sql`arrayDistinct([${join(every, ', ')}])`
  }
  return { deepest: folder, above }
}

type Parts = { from: Sql; where: Sql; value: Sql; drawn: DrawnFolders; all: boolean }

/**
 * The value with the most bytes in each folder, or all values: files are summed per folder first, and then into the
 * folders above.
 */
const largestParts = ({ from, where, value, drawn, all }: Parts): Sql => sql`
  SELECT folder AS path, argMin(part, (-bytes, part)) AS value, max(bytes) AS size
    ${all ? sql`, groupArray((part, bytes)) AS parts` : sql``}
  FROM (
    SELECT arrayJoin(${drawn.above(sql`deepest`)}) AS folder, value AS part, sum(bytes) AS bytes
    FROM (
      SELECT ${drawn.deepest} AS deepest, ${value} AS value, sum(toFloat64(size)) AS bytes
      FROM ${from} WHERE ${where} GROUP BY deepest, value)
    GROUP BY folder, part)
  GROUP BY folder ORDER BY sum(bytes) DESC, path LIMIT ${maxEntries}`
