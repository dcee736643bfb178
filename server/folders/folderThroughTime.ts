import type { FolderAtDate, FolderStatistics } from '#events/folders.ts'
import { isoIfKnown, isoOf } from '#server/entries/index.ts'
import type { FolderVersion, ShownVersion } from './folderVersions.ts'

/** A folder as a snapshot has it. */
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
})

/** How many different values a folder had in the snapshots that show it, of which there is at least one. */
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
