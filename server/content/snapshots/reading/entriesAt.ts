import { join, type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { attributeNames } from './attributes.ts'
import { endedWithin, scanOf } from './perVolume.ts'
import type { ShownVolume, Snapshot } from './snapshotAt.ts'
import { foldersAboveSeen, repeatedSeenIn, seenPreviousPath, withinScope } from './withinScope.ts'

/** Columns of an entry for queries. */
export const snapshotColumns: Sql = sql`volume, from_scan, parent_path, name, folded_name, is_directory, previous_path, ${text(attributeNames())},
  counted_size, last_access, last_modified, file_id`

/** The data to read of a volume: its generations, and in a live state the changes up to a flush. */
export type ReadGenerations = Pick<ShownVolume, 'volumeId' | 'generation' | 'layers' | 'isSettled' | 'live'>
/** The same, of a date. */
export type ReadVolume = ReadGenerations & Pick<ShownVolume, 'scanId' | 'committedScan' | 'imported'>
type WithFolders = Pick<Snapshot, 'partial'> & { volumes: readonly ReadVolume[] }

/** True for a state that isn't all in `entries`: of an earlier scan, or of an import. */
export const isOld = ({ scanId, committedScan, live, imported }: ReadVolume): boolean =>
  !live && (imported !== undefined || scanId < committedScan)
const shownScan = ({ scanId }: ReadVolume): number => scanId

/** `from_scan` of rows that a flush of a live state wrote, which is later than any scan: this plus the flush's number. */
export const firstLiveScan = 2 ** 40
const lastShownScan = ({ live, scanId, imported }: ReadVolume): number =>
  live ? firstLiveScan + live.flush : imported ? 0 : scanId
/** Last scan whose ended versions are read. Those of an import end with the number after it, which no scan has. */
export const lastEnd = ({ scanId, committedScan, imported }: ReadVolume): number =>
  imported ? scanId + 1 : committedScan

/**
 * Condition on rows of `entries` for a snapshot: all of it if its scans are the newest, otherwise in addition to
 * `endedSince`. Partitions are selected by their names: comparing the volume of every row took nine tenths of the time
 * of counting folders.
 */
function snapshotCondition({ volumes }: WithFolders): Sql {
  const whole = isInPartitions(volumes)
  return volumes.some(isOld) ? sql`(${whole} AND from_scan <= ${scanOf(volumes, lastShownScan)})` : whole
}

/**
 * Condition: a row of `entries` is in one of the generations that are read of these volumes, and no later one of them ended it. Volumes of
 * a single generation have no rows that ended.
 */
export function isInPartitions(volumes: readonly ReadGenerations[]): Sql {
  if (volumes.length === 0) return sql`0`
  const inThem = isIn(volumes)
  const several = volumes.filter(({ layers, isSettled, live }) => (layers.length > 0 && !isSettled) || live)
  if (several.length === 0) return inThem
  const isLive = several.some(({ live }) => live)
  const ended = isLive ? sql` AND flush <= ${scanOf(several, ({ live }) => live?.flush ?? 0)}` : sql``
  const begun = isLive ? sql` AND from_scan <= ${scanOf(volumes, lastFlush)}` : sql``
  return sql`(${inThem} AND row_id NOT IN (SELECT row_id FROM ended_rows WHERE ${isIn(several)}${ended})${begun})`
}

const isIn = (volumes: readonly ReadGenerations[]): Sql => sql`_partition_id IN ${partitionsOf(volumes)}`

/** IDs of the partitions that are read of volumes, those of one volume from its oldest generation on. */
export const partitionsOf = (volumes: readonly ReadGenerations[]): string[] =>
  volumes.flatMap(({ volumeId, layers, generation, live }) =>
    [...layers, generation, ...(live ? [live.generation] : [])].map((each) => partitionId(volumeId, each)),
  )

/** ID of the partition of a generation, as `_partition_id`, and its key in statements that change a partition. */
export const partitionId = (volumeId: number, generation: number): string => `${volumeId}-${generation}`
export const partitionKey = (volumeId: number, generation: number): string =>
  `(${Number(volumeId)}, ${Number(generation)})`

const lastFlush = ({ live }: ReadGenerations): number => firstLiveScan + (live?.flush ?? 0)

/** Condition on rows of `entry_history` for a snapshot: versions ended only by later scans. */
function endedSince({ volumes }: WithFolders): Sql {
  const old = volumes.filter(isOld)
  const later = endedWithin(old, shownScan, lastEnd)
  return sql`(from_scan <= ${scanOf(old, shownScan)} AND ${later})`
}

/** A table and a condition on its rows. Name the columns: `*` leaves out computed ones. */
type Rows = { from: Sql; where: Sql }

/**
 * The tables with the entries of a snapshot, each entry in one of them: `entries` has all newest ones, `entry_history`
 * the closed versions. For a caller who sees only parts of a volume these are subqueries, and one more has the folders above those.
 */
export function tablesAt(snapshot: Snapshot): [Rows, ...Rows[]] {
  const all = wholeTablesAt(snapshot)
  const isSeen = withinScope(snapshot)
  if (!isSeen) return all
  const [newest, ...closed] = all.map(({ from, where }) => ({
    from: sql`(SELECT ${columnsSeenIn(snapshot, from)} FROM ${from} WHERE ${where} AND ${isSeen})`,
    where: sql`1`,
  })) as [Rows, ...Rows[]]
  if (snapshot.withoutAbove) return [newest, ...closed]
  return [newest, ...closed, { from: foldersAboveAt(snapshot), where: sql`1` }]
}

function wholeTablesAt(snapshot: WithFolders): [Rows, ...Rows[]] {
  const newest = { from: text('entries'), where: snapshotCondition(snapshot) }
  const isPast = snapshot.volumes.some(isOld)
  return isPast ? [newest, { from: text('entry_history'), where: endedSince(snapshot) }] : [newest]
}

/** The folders above those that the caller sees, for use in a FROM. */
export const foldersAboveAt = (snapshot: WithFolders): Sql => sql`(${foldersAboveSeen(snapshot, seenRows(snapshot))})`

/** The entries that the caller sees and a condition selects, without the folders above, as they are stored: for use in a FROM. */
export const seenRows = (snapshot: WithFolders) => (condition: Sql) =>
  unionOf(wholeTablesAt(snapshot), sql`AND ${withinScope(snapshot) ?? sql`1`} AND ${condition}`)

/**
 * The columns of an entry of a table, without an earlier path that the caller doesn't see. `counted_size` has the bytes of a file's first
 * visible hard link; `repeated_size`, which is much faster to read, those of the first one of all.
 */
export const columnsSeenIn = (snapshot: Snapshot, table: Sql): Sql => sql`
  volume, from_scan, parent_path, name, folded_name, is_directory, ${seenPreviousPath(snapshot, table)} AS previous_path,
  ${text(attributeNames())},
  if(is_directory, size, size - ${repeatedSeenIn(snapshot, seenRows(snapshot))}) AS counted_size, last_access, last_modified, file_id`

/**
 * The entries of `entriesAt` as a FROM clause and a condition. If one table has all of them there is no subquery, which
 * makes planning a quarter faster.
 */
export function sourceAt(snapshot: Snapshot): Rows {
  const [newest, ...closed] = tablesAt(snapshot)
  return closed.length === 0 ? newest : { from: entriesAt(snapshot), where: sql`1` }
}

/** All entries of a snapshot, for use in a FROM: the root of each volume, its folders and its files, each once. */
export const entriesAt = (snapshot: Snapshot): Sql => unionOf(tablesAt(snapshot))

const unionOf = (tables: readonly Rows[], also: Sql = sql``): Sql =>
  sql`(${join(
    tables.map(({ from, where }) => sql`SELECT ${snapshotColumns} FROM ${from} WHERE ${where} ${also}`),
    ' UNION ALL ',
  )})`
