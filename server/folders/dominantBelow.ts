import { ageStarts, type Dominant, type DominantBelow, type DominantField, mapAges } from '#events/folders/map.ts'
import { queryOptions, below, entriesOf } from '#server/entries/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/snapshots/index.ts'
import { findMapped, type Found } from './largestIn.ts'
import { leastOpened, mostEntries } from './mapFolder.ts'

type Query = { path: string; storageId: number; levels: number; by: DominantField }

/** By what files are told apart; ages are seen from a day. */
const valueOf = (by: DominantField, on: string): Sql => {
  if (by !== 'age') return by === 'owner' ? sql`owner` : sql`extension`
  return sql`toString(length(arrayFilter(first -> toUnixTimestamp(last_access) < first, ${ageStarts(on)})))`
}

/** What reads more files than this has its turn among the heavy questions. */
const manyFiles = 100_000

/** What the folders of a map mostly consist of; nothing when the snapshot does not have the folder. */
export async function findDominantBelow(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  { path, storageId, levels, by }: Query,
): Promise<DominantBelow | undefined> {
  const from = entriesOf(snapshot, [storageId])
  const root = await findMapped(clickhouse, from, path)
  if (!root) return undefined
  const where = sql`${below(root.path)} AND NOT is_directory AND size > 0`
  const value = valueOf(by, snapshot.indexingDate)
  const folders = await clickhouse.rows<Row>(
    largestParts({ from, where, value, drawn: drawnFolders(from, root, levels), all: by === 'age' }),
    queryOptions({ from, where, heavy: root.filesBelow > manyFiles }),
  )
  return {
    storageId,
    path: root.path || '/',
    by,
    indexingDate: snapshot.indexingDate,
    folders: folders.map(({ path, parts, ...largest }) => ({
      path: path || '/',
      ...largest,
      ...(parts && { ages: mapAges.map((_, age) => parts.find(([value]) => value === `${age}`)?.[1] ?? 0) }),
    })),
  }
}

type Row = Dominant & { parts?: [value: string, bytes: number][] }

type Drawn = {
  /** The deepest folder of the map that a row of a file lies in. */
  deepest: Sql
  /** That folder and those of the map above it. */
  above: (deepest: Sql) => Sql
}

/**
 * Which folders a map of some levels draws. It looks into none of less than a share of the whole, so what is below such a
 * folder is added up in it: a folder with a million others in it is then one group, and not a million.
 */
function drawnFolders(from: Sql, { path, bytes }: Found, levels: number): Drawn {
  const depth = path.split('/').length - 1
  const opened = sql`
    SELECT concat(parent_path, name) FROM ${from}
    WHERE is_directory AND depth < ${depth + levels} AND ${below(path)} AND size >= ${bytes * leastOpened}`
  const holder = sql`substring(parent_path, 1, length(parent_path) - 1)`
  /** A folder or the one above it that is so many levels below the mapped one. */
  const atLevel = (folder: Sql, level: number) => sql`substringIndex(${folder}, '/', ${depth + 1 + level})`
  let deepest = atLevel(holder, levels)
  for (let level = levels - 1; level > 0; level--)
    deepest = sql`if(${atLevel(holder, level)} IN (${opened}), ${deepest}, ${atLevel(holder, level)})`
  const above = (folder: Sql) => {
    const every = Array.from({ length: levels + 1 }, (_, level) => atLevel(folder, level))
    return sql`arrayDistinct([${join(every, ', ')}])`
  }
  return { deepest, above }
}

type Parts = { from: Sql; where: Sql; value: Sql; drawn: Drawn; all: boolean }

/**
 * The value with the most bytes in each folder, or all of them beside: what lies in one is added up first, and then in the
 * folders above it.
 */
const largestParts = ({ from, where, value, drawn, all }: Parts): Sql => sql`
  SELECT folder AS path, argMin(part, (-bytes, part)) AS value, max(bytes) AS size
    ${all ? sql`, groupArray((part, bytes)) AS parts` : sql``}
  FROM (
    SELECT arrayJoin(${drawn.above(sql`deepest`)}) AS folder, value AS part, sum(bytes) AS bytes
    FROM (
      SELECT ${drawn.deepest} AS deepest, ${value} AS value, sum(size) AS bytes
      FROM ${from} WHERE ${where} GROUP BY deepest, value)
    GROUP BY folder, part)
  GROUP BY folder ORDER BY sum(bytes) DESC, path LIMIT ${mostEntries}`
