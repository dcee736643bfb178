import type { FolderAtDate, FolderStatistics } from '#events/folders.ts'
import { isoOf } from '#server/entries/index.ts'
import type { FolderVersion, ShownVersion } from './folderVersions.ts'

/** A folder as a snapshot has it. */
export const asFolderAtDate = ({ indexingDate, version }: ShownVersion): FolderAtDate => ({
  indexingDate,
  size: version.bytes,
  lastAccess: isoOf(version.lastAccess),
  lastModified: isoOf(version.lastModified),
  creationDate: version.created === 0 ? null : isoOf(version.created),
  group: version.groupName,
  owner: version.ownerName,
  inode: version.inodeNumber,
  numberOfFiles: version.numberOfFiles,
  numberOfFolders: version.numberOfFolders,
  unreadable: version.isUnreadable,
})

/** How many different values a folder had in the snapshots that show it, of which there is at least one. */
export function statisticsOf(shown: readonly ShownVersion[]): FolderStatistics {
  const different = <T>(valueOf: (version: FolderVersion) => T) => [
    ...new Set(shown.map(({ version }) => valueOf(version))),
  ]
  const accesses = different(({ lastAccess }) => lastAccess)
  const creations = different(({ created }) => created).filter((created) => created !== 0)
  const changes = different(({ lastModified }) => lastModified)
  const sizes = different(({ bytes }) => bytes)
  return {
    numberOfDifferentLastAccessDates: accesses.length,
    numberOfDifferentCreationDates: creations.length,
    numberOfDifferentModifiedDates: changes.length,
    oldestLastAccessDate: isoOf(Math.min(...accesses)),
    oldestCreationDate: creations.length === 0 ? null : isoOf(Math.min(...creations)),
    oldestModifiedDate: isoOf(Math.min(...changes)),
    numberOfDifferentSizes: sizes.length,
    smallestSize: Math.min(...sizes),
    biggestSize: Math.max(...sizes),
    numberOfDifferentOwners: different(({ ownerName }) => ownerName).length,
    numberOfDifferentGroups: different(({ groupName }) => groupName).length,
  }
}
