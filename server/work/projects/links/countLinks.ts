import { type FileTotals, projectAges, type ProjectStatistics } from '#events/projects/calls.ts'
import { childrenOf } from '#server/content/entries/conditions.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { join, type Sql, sql, typed } from '#server/platform/clickhouse/sql.ts'
import { type Folders, fileFacts, filesAround, byAge, foldersAbove } from '#server/work/projects/figures/countFiles.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'

/** A tracked folder: its path on a date, relative to its volume. */
export type Place = { volumeId: number; path: string }

/** Volumes of one file system, so that a file may have hard links in several of them. */
export type LinkGroup = {
  places: Place[]
  /** One of the volumes shows files of another one, so files without further links may be in two folders, too. */
  isOverlapping: boolean
}

/**
 * Files that are in each of the same tracked folders by different hard links: indexes of `places`, and the bytes of the files, counted
 * once, with their ages and duplicates.
 */
export type SharedFiles = { places: number[]; bytes: number; apparentBytes: number; statistics: ProjectStatistics }

type Row = {
  places: number[]
  bytes: number
  apparentBytes: number
  modified: number[]
  accessed: number[]
  duplicate: number
}

/** The files with links in several of these folders, by the folders. */
export async function countLinks(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  group: LinkGroup,
  signal?: AbortSignal,
): Promise<SharedFiles[]> {
  const options = { heavy: true, seconds: 600, ...(signal && { signal }) }
  const rows = await clickhouse.rows<Row>(sharedFiles(snapshot, group), options)
  return rows.map(({ places, bytes, apparentBytes, modified, accessed, duplicate }) => ({
    places: places.map((place) => Number(place) - 1),
    bytes: Number(bytes),
    apparentBytes: Number(apparentBytes),
    statistics: {
      DUPLICATE: { duplicate: bytesOnly(duplicate), reclaimable: bytesOnly(0) },
      MODIFIED_DATE: agesOf(modified),
      ACCESS_DATE: agesOf(accessed),
    },
  }))
}

/** Each link is a file, so only bytes are counted twice. */
const bytesOnly = (bytes: number): FileTotals => ({ sizeOfFiles: Number(bytes), numberOfFiles: 0 })

const agesOf = (counts: readonly number[]) =>
  Object.fromEntries(
    projectAges.flatMap((age, i) => {
      const bytes = Number(counts[2 * i + 1] ?? 0)
      return bytes > 0 ? [[age, bytesOnly(bytes)]] : []
    }),
  )

/** Files by the set of tracked folders that have links of them. Of links that differ, the largest counts, as in folder sizes. */
const sharedFiles = (snapshot: Snapshot, group: LinkGroup): Sql => sql`
  SELECT s.places AS places, sum(s.bytes) AS bytes, sum(s.apparent) AS apparentBytes,
    ${byAge(sql`s.modified_at`, snapshot.indexingDate, sql`s.bytes`)} AS modified,
    ${byAge(sql`s.used_at`, snapshot.indexingDate, sql`s.bytes`)} AS accessed, sumIf(s.bytes, s.is_copy) AS duplicate
  FROM (
    SELECT arraySort(groupUniqArrayArray(f.places)) AS places, max(f.bytes) AS bytes, max(f.apparent) AS apparent,
      any(f.modified_at) AS modified_at, any(f.used_at) AS used_at, max(f.is_copy) AS is_copy
    FROM (${join(linksByVolume(snapshot, group), ' UNION ALL ')}) AS f
    GROUP BY f.file HAVING count() > 1 AND length(places) > 1) AS s
  GROUP BY places`

/** The links in tracked folders of each volume, with the positions of the folders in `places`, from 1. */
function linksByVolume(snapshot: Snapshot, { places, isOverlapping }: LinkGroup): Sql[] {
  const numbered = places.map((place, index) => ({ ...place, number: index + 1 }))
  const byVolume = [...Map.groupBy(numbered, ({ volumeId }) => volumeId)]
  const isOneVolume = byVolume.length === 1
  return byVolume.map(([volumeId, own]) => {
    const folders: Folders = { volumeId, paths: own.map(({ path }) => path) }
    const paths = folders.paths.map(childrenOf)
    const numbers = typed(
      own.map(({ number }) => number),
      'Array(UInt32)',
    )
    const facts = sql`${fileFacts(snapshot)}, toFloat64(greatest(size, 0)) AS apparent, ${fileKey(isOneVolume)} AS file`
    const isLinked = isOverlapping ? sql`inode != 0` : sql`inode != 0 AND link_count > 1`
    return sql`
      SELECT arrayMap(above -> arrayElement(${numbers}, indexOf(${paths}, above)), ${foldersAbove(folders)}) AS places, bytes, apparent,
        modified_at, used_at, is_copy, file
      FROM (${filesAround(snapshot, folders, facts, isLinked)}) WHERE notEmpty(places)`
  })
}

/**
 * Identity of a file. The number of a device may change when a share is mounted again, so links in several volumes, which are on one
 * file system, are recognized by the inode and what all links of a file have in common.
 */
const fileKey = (isOneVolume: boolean): Sql =>
  isOneVolume
    ? sql`(device, inode, toUInt64(0), toUInt32(0))`
    : sql`(toUInt64(0), inode, toUInt64(toUnixTimestamp(modified)), link_count)`

/**
 * Returns the files that each folder of a project repeats from an earlier one, by the folder's index in `places`; folders without any are
 * left out. As in `du` with several folders, a file counts with the first one. `counted` are the project's folders, in order.
 */
export function repeatedIn(counted: readonly number[], shared: readonly SharedFiles[]): Map<number, SharedFiles[]> {
  const repeated = new Map<number, SharedFiles[]>()
  for (const files of shared) {
    const [, ...later] = counted.filter((place) => files.places.includes(place))
    for (const place of later) repeated.set(place, [...(repeated.get(place) ?? []), files])
  }
  return repeated
}
