import { join, type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { normalized } from '#server/platform/clickhouse/paths.ts'
import { attributes } from './attributes.ts'
import type { Snapshot } from './snapshotAt.ts'

/** More folders than this are looked up by the start of each path, as many characters as they have levels. */
const maxPrefixes = 30

type Shown = Pick<Snapshot, 'volumes' | 'partial'>

/** Condition on rows of the entry tables in the snapshot's partitions: the caller sees them; undefined if that is true of all. */
export function withinScope({ volumes, partial }: Shown): Sql | undefined {
  const shown = volumes.flatMap(({ volumeId }) => {
    const folders = partial.get(volumeId)
    return folders ? [{ volumeId, folders }] : []
  })
  if (shown.length === 0) return undefined
  const whole = volumes.filter(({ volumeId }) => !partial.has(volumeId)).map(({ volumeId }) => volumeId)
  const parts = shown.map(
    ({ volumeId, folders }) => sql`(volume = ${volumeId} AND (${startsIn(folders)} OR ${isOneOf(folders)}))`,
  )
  return sql`(${join([...(whole.length > 0 ? [sql`volume IN ${whole}`] : []), ...parts], ' OR ')})`
}

/** Condition: one of the folders, or a folder below it, contains the entry. */
function startsIn(folders: readonly string[]): Sql {
  if (folders.length <= maxPrefixes)
    return sql`(${join(
      folders.map((folder) => sql`startsWith(parent_path, ${folder})`),
      ' OR ',
    )})`
  const byLevel = Map.groupBy(folders, (folder) => folder.split('/').length - 1)
  const each = [...byLevel].map(
    ([level, same]) => sql`substringIndex(parent_path, '/', ${level}) IN ${same.map((folder) => folder.slice(0, -1))}`,
  )
  return sql`(${join(each, ' OR ')})`
}

/** Condition: the entry is one of the folders. */
const isOneOf = (folders: readonly string[]): Sql =>
  sql`(is_directory AND (parent_path, name) IN (${join(
    folders.map((folder) => {
      const [above, last] = placeOf(folder)
      return sql`(${above}, ${last})`
    }),
    ', ',
  )}))`

/** The `parent_path` and `name` of a folder: those of `/a/b/` are `/a/` and `b`. */
function placeOf(folder: string): [above: string, name: string] {
  const end = folder.lastIndexOf('/', folder.length - 2) + 1
  return [folder.slice(0, end), folder.slice(end, -1)]
}

/** The path that an entry had before, unless it was outside of what the caller sees. */
export function seenPreviousPath({ volumes, partial }: Shown): Sql {
  const parts = volumes.flatMap(({ volumeId }) => {
    const folders = partial.get(volumeId)
    if (!folders) return []
    const starts = folders.map((folder) => sql`startsWith(concat(previous_path, '/'), ${folder})`)
    return [sql`volume = ${volumeId}`, sql`(${join(starts, ' OR ')})`]
  })
  return parts.length === 0 ? text('previous_path') : sql`if(multiIf(${join(parts, ', ')}, true), previous_path, '')`
}

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
 * The folders above those that the caller sees, as rows of `snapshotColumns`: their names, and the totals of what the caller sees below
 * them. `rows` selects the rows of partly visible volumes. A file with hard links in several of the folders counts in each.
 */
export const foldersAboveSeen = ({ volumes, partial }: Shown, rows: (condition: Sql) => Sql): Sql => {
  const folders = volumes.flatMap(({ volumeId }) =>
    (partial.get(volumeId) ?? []).map((folder) => sql`(${volumeId}, ${placeOf(folder)[0]}, ${placeOf(folder)[1]})`),
  )
  return sql`
    SELECT volume, from_scan, substring(folder, 1, length(folder) - 1 - length(last)) AS parent_path, last AS name,
      if(isValidASCII(last) OR ${folded} = lower(last), '', ${folded}) AS folded_name, true AS is_directory, '' AS previous_path,
      ${join(
        attributes.map((column) => text(`\`${column}\``)),
        ', ',
      )},
      size - repeated_size AS counted_size, accessed_below AS last_access, modified_below AS last_modified,
      sipHash64(volume, parent_path, name, is_directory) AS file_id
    FROM (
      SELECT volume, folder, splitByChar('/', folder)[-2] AS last, max(seen.from_scan) AS from_scan, ${join(columns, ', ')}
      FROM (SELECT *, arrayJoin(above) AS folder FROM (
        SELECT *, ${chain} AS above FROM ${rows(sql`is_directory AND (volume, parent_path, name) IN (${join(folders, ', ')})`)})) AS seen
      GROUP BY volume, folder)`
}
const chain = sql`arrayMap(end -> substring(parent_path, 1, end), arrayCumSum(part -> length(part) + 1, arrayPopBack(splitByChar('/', parent_path))))`
