import type { Stores } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { duplicateHashes } from '#server/content/snapshots/duplicates/duplicateHashes.ts'
import { isPackedDate } from '#events/scans/packedDates.ts'
import { isOfSnapshot } from '#events/scans/snapshotFolders.ts'
import { entriesAt } from '#server/content/snapshots/reading/entriesAt.ts'
import { groupsAt } from '#server/content/snapshots/duplicates/groupVersions.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import type { Row } from './expectedRows.ts'
import { readRows } from './readRows.ts'

/** Identical entries: whether they are folders, their number, and their bytes. */
type Group = { isDirectory: boolean; copies: number; bytes: number }

/** The identity shared by copies; undefined for entries that are never copies. */
export function identity({
  isDirectory,
  parentPath,
  name,
  size,
  created,
  modified,
  files,
  folders,
}: Row): string | undefined {
  if (size <= 0 || isOfSnapshot(parentPath + name)) return undefined
  if (isDirectory) return !isPackedDate(created) ? JSON.stringify([size, created, files, folders]) : undefined
  return !isPackedDate(modified) ? JSON.stringify([name, size, modified]) : undefined
}

/** The groups of duplicates of a snapshot, counted by plain loops over all its entries. */
export async function groupsBySorting(stores: Stores, { indexingDate, volumes }: Snapshot): Promise<string[]> {
  const groups = new Map<string, Group>()
  for (const { volumeId } of volumes)
    for (const row of (await readRows(stores, volumeId, indexingDate)).values()) {
      const same = identity(row)
      if (same === undefined) continue
      const key = `${row.isDirectory} ${same}`
      const group = groups.get(key) ?? { isDirectory: row.isDirectory, copies: 0, bytes: 0 }
      groups.set(key, { ...group, copies: group.copies + 1, bytes: group.bytes + row.size })
    }
  return inText([...groups.values()].filter(({ copies }) => copies > 1))
}

/** The same as found by queries: entries with a hash, looked up or counted, and the numbers of the lookup. */
export async function groupsFound({ clickhouse }: Stores, snapshot: Snapshot): Promise<string[]> {
  const found = await clickhouse.rows<Group>(sql`
    SELECT any(is_directory) AS isDirectory, count() AS copies, sum(greatest(size, 0)) AS bytes FROM ${entriesAt(snapshot)}
    WHERE identification_hash IN ${duplicateHashes(snapshot)} GROUP BY identification_hash`)
  const { duplicatesVersions: versions } = snapshot
  if (versions === undefined) return inText(found)
  const known = await clickhouse.rows<Group>(sql`
    SELECT is_directory AS isDirectory, copies, bytes FROM ${groupsAt(versions)}`)
  const [listed, answered] = [inText(found), inText(known)]
  return listed.join() === answered.join() ? listed : [...listed, 'but known are', ...answered]
}

const inText = (groups: Group[]): string[] =>
  groups.map(({ isDirectory, copies, bytes }) => `${isDirectory} ${copies} ${bytes}`).sort()
