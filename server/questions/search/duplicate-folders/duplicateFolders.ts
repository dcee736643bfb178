import type { Answer } from '#events/contract/endpoint.ts'
import { maxNamedFolders, type searchDuplicateFolders } from '#events/search/duplicateFolders.ts'
import { fullPathOf } from '#events/sources/fullPath.ts'
import { type EntrySelection, isCopy, queryOptions } from '#server/content/entries/selectEntries.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql, text } from '#server/platform/clickhouse/sql.ts'
import { asOf } from '#server/content/snapshots/reading/asOf.ts'
import { billedOnce } from '#server/content/snapshots/reading/billedBytes.ts'
import { type CopiesInFolders, joinFolders } from './joinFolders.ts'

/**
 * Maximum number of combinations of folders that are read, those with the most reclaimable bytes. Trees of folders with the
 * same content are joined from their combinations, one for each subfolder.
 */
const maxCombinations = 20_000

type Row = Omit<CopiesInFolders, 'folders'> & {
  folders: [volumeId: number, path: string][]
  combinations: number
  total: number
}

/** Groups of folders with the same files, among the duplicates of a selection; none for deleted files, which take no space. */
export async function duplicateFolders(
  clickhouse: ClickHouse,
  selection: EntrySelection,
  size: number,
): Promise<Answer<typeof searchDuplicateFolders>> {
  const rows =
    selection.deleted === false ? await clickhouse.rows<Row>(combinations(selection), queryOptions(selection)) : []
  const found = rows.map(({ folders, combinations: _, total: __, ...row }) => ({
    ...row,
    folders: folders.map(([volumeId, path]) => ({ volumeId, path })),
  }))
  const volumes = new Map(selection.snapshot.volumes.map((volume) => [volume.volumeId, volume]))
  const groups = joinFolders(found).toSorted((a, b) => b.reclaimable - a.reclaimable || b.files - a.files)
  return {
    elements: groups.slice(0, size).map(({ folders, billed, ...group }) => ({
      ...group,
      folders: folders.slice(0, maxNamedFolders).map(({ volumeId, path }) => {
        const { name = '', root = '' } = volumes.get(volumeId) ?? {}
        return { volumeId, volumeName: name, path, fullPath: fullPathOf(root, path) }
      }),
      ...(billed !== group.reclaimable && { billedReclaimable: billed }),
    })),
    reclaimable: rows[0]?.total ?? 0,
    isPartial: (rows[0]?.combinations ?? 0) > rows.length,
    ...asOf(selection.volumes ?? selection.snapshot.volumes),
  }
}

/**
 * Sets of copies by the folders that they are in. A combination of folders is identified by the sum of their hashes, so that a
 * set takes few bytes while it is counted; the names of the folders are read for one example of each combination.
 */
function combinations({ from, where, snapshot, volumes }: EntrySelection): Sql {
  const copies = sql`${where} AND NOT is_directory AND ${isCopy(snapshot, volumes)}`
  const ranked = sql`
    SELECT min(hash) AS example, count() AS files, sum(kept) AS size, sum(freed) AS reclaimable,
      sum(billed_freed) AS billed, count() OVER () AS combinations, sum(sum(freed)) OVER () AS total
    FROM (
      SELECT identification_hash AS hash, sum(cityHash64(volume, parent_path)) AS combination,
        toFloat64(max(greatest(counted_size, 0))) AS kept, sum(toFloat64(greatest(counted_size, 0))) - kept AS freed,
        sum(toFloat64(${billedOnce(snapshot)})) - max(${billedOnce(snapshot)}) AS billed_freed
      FROM ${from} WHERE ${copies} GROUP BY hash HAVING freed > 0)
    GROUP BY combination ORDER BY reclaimable DESC, example LIMIT ${maxCombinations}`
  return sql`
    SELECT ranked.files AS files, ranked.size AS size, ranked.reclaimable AS reclaimable, ranked.billed AS billed,
      ranked.combinations AS combinations, ranked.total AS total, named.named_folders AS folders, named.folder_count AS folderCount
    FROM (${ranked}) AS ranked
    INNER JOIN (
      SELECT identification_hash AS hash, arraySort(groupUniqArray(${text(String(maxNamedFolders))})((volume, parent_path))) AS named_folders,
        uniqExact(volume, parent_path) AS folder_count
      FROM ${from} WHERE ${copies} AND identification_hash IN (SELECT example FROM (${ranked}))
      GROUP BY hash) AS named ON named.hash = ranked.example
    ORDER BY reclaimable DESC`
}
