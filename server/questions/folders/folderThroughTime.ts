import type { FolderAtDate, FolderDetails, FolderStatistics, OneFolder } from '#events/folders/calls.ts'
import { readNotEntered } from '#events/scans/notEntered.ts'
import { childrenOf, isFolder } from '#server/content/entries/conditions.ts'
import { findEntry, listEntries } from '#server/content/entries/listEntries.ts'
import { inStorages } from '#server/content/entries/selectEntries.ts'
import { isoIfKnown, isoOf } from '#server/content/entries/entryRecord.ts'
import type { FolderVersion, ShownVersion } from './folderVersions.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { asOf } from '#server/content/snapshots/reading/asOf.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { sourceAt } from '#server/content/snapshots/reading/entriesAt.ts'

/** A folder at the date of a snapshot. */
export const asFolderAtDate = ({ indexingDate, version }: ShownVersion): FolderAtDate => ({
  indexingDate,
  size: version.bytes,
  lastAccess: isoIfKnown(version.lastAccess),
  lastModified: isoIfKnown(version.lastModified),
  creationDate: isoIfKnown(version.created),
  group: version.groupName,
  owner: version.ownerName,
  inode: version.inodeNumber,
  numberOfFiles: version.numberOfFiles,
  numberOfFolders: version.numberOfFolders,
  unreadable: version.isUnreadable,
  notEntered: readNotEntered(version.notEntered),
})

/** Number of different values of a folder over the snapshots that have it, at least one. */
export function statisticsOf(shown: readonly ShownVersion[]): FolderStatistics {
  const different = <T>(valueOf: (version: FolderVersion) => T) => [
    ...new Set(shown.map(({ version }) => valueOf(version))),
  ]
  const known = (valueOf: (version: FolderVersion) => number | null) =>
    different(valueOf).filter((seconds) => seconds !== null)
  const accesses = known(({ lastAccess }) => lastAccess)
  const creations = known(({ created }) => created)
  const changes = known(({ lastModified }) => lastModified)
  const sizes = different(({ bytes }) => bytes)
  return {
    numberOfDifferentLastAccessDates: accesses.length,
    numberOfDifferentCreationDates: creations.length,
    numberOfDifferentModifiedDates: changes.length,
    oldestLastAccessDate: oldestOf(accesses),
    oldestCreationDate: oldestOf(creations),
    oldestModifiedDate: oldestOf(changes),
    numberOfDifferentSizes: sizes.length,
    smallestSize: Math.min(...sizes),
    biggestSize: Math.max(...sizes),
    numberOfDifferentOwners: different(({ ownerName }) => ownerName).length,
    numberOfDifferentGroups: different(({ groupName }) => groupName).length,
  }
}

const oldestOf = (moments: number[]): string | null => (moments.length === 0 ? null : isoOf(Math.min(...moments)))

/** A folder and the largest of its children; undefined if the snapshot doesn't have it. */
export async function findFolder(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  { path, storageId, size }: OneFolder & { size: number },
): Promise<FolderDetails | undefined> {
  const { volumes, ...shown } = inStorages(snapshot, [storageId])
  const { from, where: isShown } = sourceAt({ volumes, ...shown })
  const children = {
    snapshot,
    from,
    where: sql`${isShown} AND parent_path = ${childrenOf(path)}`,
    deleted: false,
    heavy: false,
    quick: true,
  }
  const [folder, largest] = await Promise.all([
    findEntry(clickhouse, snapshot, {
      from,
      where: sql`${isShown} AND ${isFolder(path)}`,
    }),
    size === 0 ? undefined : listEntries(clickhouse, children, { page: 1, size }, { sort: 'size', direction: 'desc' }),
  ])
  return folder && { ...folder, largest: largest?.elements ?? [], ...asOf(volumes) }
}
