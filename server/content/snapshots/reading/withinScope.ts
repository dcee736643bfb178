import { join, type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { normalized } from '#server/platform/clickhouse/paths.ts'
import { foldersIn, type LimitedScope } from '#server/platform/callers/scope.ts'
import { attributes } from './attributes.ts'
import type { ShownVolume, Snapshot } from './snapshotAt.ts'

/** Maximum number of starts of paths in a statement. Planning thirty takes the engine longer than the rest of the statement. */
const maxStarts = 8
/** Maximum levels of those starts. Paths may have thousands. */
const maxStartLevels = 32

/** Volumes of a snapshot, and the folders of those that the caller sees only in part. */
export type SeenFolders = Pick<Snapshot, 'partial'> & { volumes: readonly Pick<ShownVolume, 'volumeId'>[] }

/** Condition on rows of the entry tables in the snapshot's partitions: the caller sees them; undefined if that is true of all. */
export function withinScope({ volumes, partial }: SeenFolders): Sql | undefined {
  const shown = volumes.flatMap(({ volumeId }) => {
    const folders = partial.get(volumeId)
    return folders ? [{ volumeId, folders }] : []
  })
  if (shown.length === 0) return undefined
  const whole = volumes.filter(({ volumeId }) => !partial.has(volumeId)).map(({ volumeId }) => volumeId)
  const parts = shown.map(isInFolders)
  return sql`(${join([...(whole.length > 0 ? [sql`volume IN ${whole}`] : []), ...parts], ' OR ')})`
}

/** Condition on rows of a snapshot's entries: a scope shows them. */
export function isShownIn(scope: LimitedScope, volumes: readonly ShownVolume[]): Sql {
  const shown = volumes.map((volume) => ({ ...volume, folders: foldersIn(scope, volume) }))
  const parts = shown.filter(({ folders }) => folders.length > 0).map(isInFolders)
  return parts.length > 0 ? sql`(${join(parts, ' OR ')})` : sql`0`
}

const isInFolders = ({ volumeId, folders }: { volumeId: number; folders: readonly string[] }): Sql =>
  sql`(volume = ${volumeId} AND ((${startsIn(folders)}) OR ${isOneOf(folders)}))`

/** Condition: one of the folders, or a folder below it, contains the entry. */
const startsIn = (folders: readonly string[]): Sql =>
  sql`(${join(
    commonStarts(folders).map((start) => sql`startsWith(parent_path, ${start})`),
    ' OR ',
  )}) AND ${isBelow(folders, text('parent_path'))}`

/** Condition on a path that ends with `/`: it is one of the folders, or below one. */
const isBelow = (folders: readonly string[], path: Sql): Sql => {
  const byLevel = Map.groupBy(folders, levelOf)
  const each = [...byLevel].map(
    ([level, same]) => sql`substringIndex(${path}, '/', ${level}) IN ${same.map((folder) => folder.slice(0, -1))}`,
  )
  return sql`(${join(each, ' OR ')})`
}

const levelOf = (folder: string): number => folder.split('/').length - 1

/** A few starts of paths, one of which each folder has, as long as possible: for the index. */
function commonStarts(folders: readonly string[]): string[] {
  const parts = folders.map((folder) => folder.split('/').slice(0, -1))
  const maxLevel = Math.max(...parts.map(({ length }) => length))
  for (let level = Math.min(maxStartLevels, maxLevel); ; level--) {
    const starts = new Set(parts.map((names) => `${names.slice(0, level).join('/')}/`))
    if (starts.size <= maxStarts || level === 1) return [...starts]
  }
}

/** Condition: the entry is one of the folders. One list is much faster to send than thousands of pairs. */
const isOneOf = (folders: readonly string[]): Sql => sql`(is_directory
  AND parent_path IN ${[...new Set(folders.map((folder) => placeOf(folder)[0]))]}
  AND concat(parent_path, name, '/') IN ${folders})`

/** The `parent_path` and `name` of a folder: those of `/a/b/` are `/a/` and `b`. */
function placeOf(folder: string): [above: string, name: string] {
  const end = folder.lastIndexOf('/', folder.length - 2) + 1
  return [folder.slice(0, end), folder.slice(end, -1)]
}

/** The path that an entry of a table had before, unless the caller doesn't see that. */
export function seenPreviousPath(shown: SeenFolders, table: Sql): Sql {
  const path = sql`${table}.previous_path`
  const isSeen = isSeenPath(shown, path)
  return isSeen ? sql`if(${isSeen}, ${path}, '')` : path
}

/** Condition: the caller sees entries with this path, in the volume of the row; undefined if that is true of all. */
export function isSeenPath({ volumes, partial }: SeenFolders, path: Sql): Sql | undefined {
  const parts = volumes.flatMap(({ volumeId }) => {
    const folders = partial.get(volumeId)
    if (!folders) return []
    return [sql`volume = ${volumeId}`, isBelow(folders, sql`concat(${path}, '/')`)]
  })
  return parts.length === 0 ? undefined : sql`multiIf(${join(parts, ', ')}, true)`
}

const isLink = sql`NOT is_directory AND link_count > 1 AND inode != 0`

/**
 * `repeated_size` of an entry for a caller who sees parts of volumes: of the hard links of a file, the first one that the caller sees has
 * the bytes. `rows` selects the rows that the caller sees.
 */
export const repeatedSeenIn = ({ partial }: SeenFolders, rows: (condition: Sql) => Sql): Sql => sql`
  if(repeated_size > 0 AND NOT is_directory AND (volume, parent_path, name) IN (
    SELECT volume, min((parent_path, name)).1, min((parent_path, name)).2 FROM ${rows(sql`volume IN ${[...partial.keys()]} AND ${isLink}`)}
    GROUP BY volume, device, inode HAVING argMin(repeated_size, (parent_path, name)) > 0), 0, repeated_size)`

/** Totals of a folder above, from those of the folders that the caller sees below it. */
const totals: Record<string, Sql> = {
  depth: sql`toUInt16(if(folder = '/', 0, countSubstrings(folder, '/') - 1))`,
  ...Object.fromEntries(
    ['size', 'allocated_size', 'repeated_size', 'files'].map((column) => [column, sql`sum(seen.${text(column)})`]),
  ),
  folders: sql`sum(seen.folders + 1) + length(arrayFilter(other -> other != folder AND startsWith(other, folder),
    arrayDistinct(arrayFlatten(groupArray(above)))))`,
  accessed_below: sql`max(seen.accessed_below)`,
  modified_below: sql`max(seen.modified_below)`,
}
const columns = attributes.map(
  (column) =>
    sql`${totals[column] ?? sql`defaultValueOfArgumentType(any(seen.${text(`\`${column}\``)}))`} AS ${text(`\`${column}\``)}`,
)
const folded = sql`caseFoldUTF8(${normalized(sql`last`)})`

/**
 * The folders above those that the caller sees, as rows of `snapshotColumns`: their names, and the totals of the visible entries below
 * them, in which each file counts once. `rows` selects the rows of the snapshot.
 */
export const foldersAboveSeen = ({ volumes, partial }: SeenFolders, rows: (condition: Sql) => Sql): Sql => {
  const tops = volumes.flatMap(({ volumeId }) => {
    const here = partial.get(volumeId)
    return here ? [sql`(volume = ${volumeId} AND ${isOneOf(here)})`] : []
  })
  const several = volumes.flatMap(({ volumeId }) => {
    const here = partial.get(volumeId) ?? []
    return here.length > 1
      ? [sql`volume = ${volumeId}, arrayFirst(seen -> startsWith(parent_path, seen), ${here})`]
      : []
  })
  const once =
    several.length === 0 ? sql`` : sql`LEFT ANY JOIN ${repeatedAcross(several, rows)} AS again USING (volume, folder)`
  return sql`
    SELECT volume, from_scan, substring(folder, 1, length(folder) - 1 - length(last)) AS parent_path, last AS name,
      if(isValidASCII(last) OR ${folded} = lower(last), '', ${folded}) AS folded_name, true AS is_directory, '' AS previous_path,
      ${join(
        attributes.map((column) => {
          const sign = { size: '-', allocated_size: '-', repeated_size: '+' }[column]
          return text(
            several.length > 0 && sign
              ? `summed.${column} ${sign} again.${column} AS ${column}`
              : `summed.\`${column}\``,
          )
        }),
        ', ',
      )},
      size AS counted_size, accessed_below AS last_access, modified_below AS last_modified,
      sipHash64(volume, parent_path, name, is_directory) AS file_id
    FROM (
      SELECT volume, folder, splitByChar('/', folder)[-2] AS last, max(seen.from_scan) AS from_scan, ${join(columns, ', ')}
      FROM (SELECT *, arrayJoin(above) AS folder FROM (
        SELECT *, ${chainOf(text('parent_path'))} AS above FROM ${rows(sql`(${join(tops, ' OR ')})`)})) AS seen
      GROUP BY volume, folder) AS summed ${once}`
}

/** Bytes of files with hard links in several of the folders that the caller sees, which the sums of their totals have too often. */
const repeatedAcross = (folders: readonly Sql[], rows: (condition: Sql) => Sql): Sql => sql`(
  SELECT volume, folder, sum(again) AS size, sum(allocated_again) AS allocated_size, size AS repeated_size
  FROM (
    SELECT volume, arrayJoin(above) AS folder, sum(largest) - max(largest) AS again, sum(largest_allocated) - max(largest_allocated) AS allocated_again
    FROM (
      SELECT volume, device, inode, multiIf(${join(folders, ', ')}, '') AS top,
        max(size) AS largest, max(greatest(allocated_size, 0)) AS largest_allocated, ${chainOf(sql`substring(top, 1, length(top) - position(reverse(top), '/', 2) + 1)`)} AS above
      FROM ${rows(sql`${isLink} AND size > 0`)} WHERE top != ''
      GROUP BY volume, device, inode, top)
    GROUP BY volume, folder, device, inode HAVING count() > 1)
  GROUP BY volume, folder)`
/** The folders above a row with this `parent_path`, from the root. */
const chainOf = (parentPath: Sql): Sql =>
  sql`arrayMap(end -> substring(${parentPath}, 1, end), arrayCumSum(part -> length(part) + 1, arrayPopBack(splitByChar('/', ${parentPath}))))`
