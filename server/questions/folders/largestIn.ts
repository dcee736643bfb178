import { childrenOf, isFolder, knownSeconds, type Unrecorded } from '#server/content/entries/conditions.ts'
import { chunksOf } from '#server/platform/clickhouse/chunks.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'

/** An entry of a map, with its path and that of its folder, both without a trailing slash. Seconds UTC. */
export type MapRow = {
  path: string
  inPath: string
  entryName: string
  isDirectory: boolean
  bytes: number
  entryExtension: string
  entryOwner: string
  lastAccess: number | null
  lastModified: number | null
}

// The names differ from those of columns, so that conditions and orders use the columns.
const columnsOf = (unrecorded: Unrecorded): Sql => sql`
  concat(parent_path, name) AS path, substring(parent_path, 1, length(parent_path) - 1) AS inPath, name AS entryName,
  is_directory AS isDirectory, size AS bytes, extension AS entryExtension, owner AS entryOwner,
  ${knownSeconds('last_access', unrecorded)} AS lastAccess,
  ${knownSeconds('last_modified', unrecorded)} AS lastModified`

/** The entries to map. */
type Mapped = Unrecorded & { from: Sql }

/** The folder at a path, with the number of files below it. */
export async function findMapped(clickhouse: ClickHouse, { from, ...unrecorded }: Mapped, path: string) {
  const [found] = await clickhouse.rows<MapRow & { filesBelow: number }>(
    sql`SELECT ${columnsOf(unrecorded)}, files AS filesBelow FROM ${from} WHERE ${isFolder(path)} LIMIT 1`,
    { quick: true },
  )
  return found
}

type Query = { folders: string[]; most: number; limit: number }

/**
 * The largest children of some folders, limited per folder and in total, and the number of children per folder. Entries
 * with no size or an unknown size are only counted.
 */
export async function largestIn(
  clickhouse: ClickHouse,
  { from, ...unrecorded }: Mapped,
  { folders, most, limit }: Query,
) {
  const pieces = chunksOf(folders, (path) => path)
  const read = async (paths: string[]) => {
    const isIn = sql`parent_path IN ${paths.map(childrenOf)}`
    const [children, counts] = await Promise.all([
      clickhouse.rows<MapRow>(sql`
        SELECT ${columnsOf(unrecorded)} FROM ${from} WHERE ${isIn} AND size > 0
        ORDER BY size DESC, parent_path, name, is_directory LIMIT ${most} BY parent_path LIMIT ${limit}`),
      clickhouse.rows<{ inPath: string; entries: number }>(sql`
        SELECT substring(parent_path, 1, length(parent_path) - 1) AS inPath, count() AS entries
        FROM ${from} WHERE ${isIn} GROUP BY parent_path`),
    ])
    return { children, counts }
  }
  const answers = await Promise.all(pieces.map(read))
  const children = answers.flatMap(({ children }) => children).sort((a, b) => b.bytes - a.bytes)
  const counts = answers.flatMap(({ counts }) => counts.map(({ inPath, entries }) => [inPath, entries] as const))
  return { children: children.slice(0, limit), counts: new Map(counts) }
}
