import { isOfWindows } from '#events/sources/fullPath.ts'
import { groupOfType } from '#events/sources/kinds.ts'
import { shownName } from '#events/sources/p5Names.ts'
import { mappedFoldersOf, namesOf } from '#events/sources/pathMapping.ts'
import type { ShownVolume, Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'

/** An archive index. Its entries are below `folder` of the whole index; folders are `/` or `/a/b/`. */
export type ArchiveIndex = { index: ShownVolume; folder: string }

/** Files of a storage below `folder` are below `target` in the indexes, except in deeper folders of the list. */
export type MappedFolder = { volumeId: number; folder: string; target: string }

/** A folder of a storage, in the form of a `parent_path`. */
export type Scope = { volumeId: number; folder: string }

export function archiveIndexes({ volumes, archives }: Snapshot): ArchiveIndex[] {
  return archives.folders.flatMap(({ volumeId, path }) => {
    const index = volumes.find((volume) => volume.volumeId === volumeId)
    return index ? [{ index, folder: asFolder(namesOf(path).map(shownName)) }] : []
  })
}

/** Storages whose files have a state: file storages, if the snapshot has an archive index. */
export const comparedVolumes = (snapshot: Snapshot): ShownVolume[] =>
  archiveIndexes(snapshot).length === 0 ? [] : snapshot.volumes.filter(({ type }) => groupOfType(type) === 'file')

/** The mapped folders of all compared storages, deepest first. Every storage with paths that P5 can have has its root. */
export const mappedFolders = (snapshot: Snapshot): MappedFolder[] =>
  comparedVolumes(snapshot)
    .flatMap((volume) =>
      mappedFoldersOf(volume, snapshot.archives.mappings).map(({ names, target }) => ({
        volumeId: volume.volumeId,
        folder: asFolder(names),
        target: isOfWindows(target) ? '' : asFolder(namesOf(target)),
      })),
    )
    .toSorted((a, b) => b.folder.length - a.folder.length)

const asFolder = (names: string[]): string => (names.length === 0 ? '/' : `/${names.join('/')}/`)

/** The folder in the indexes for a folder of a storage; one that no index has for paths that P5 can't have. */
export function mappedFolderOf(mapped: readonly MappedFolder[], { volumeId, folder }: Scope): string {
  const found = mapped.find((one) => one.volumeId === volumeId && folder.startsWith(one.folder))
  return found ? found.target + folder.slice(found.folder.length) : ''
}

/** Folders of the indexes that may have files of these scopes. */
export function targetsOf(mapped: readonly MappedFolder[], scopes: readonly Scope[]): string[] {
  const targets = scopes.flatMap((scope) => [
    mappedFolderOf(mapped, scope),
    ...mapped
      .filter(({ volumeId, folder }) => volumeId === scope.volumeId && folder.startsWith(scope.folder))
      .map(({ target }) => target),
  ])
  return [...new Set(targets)].filter((target) => target.startsWith('/'))
}
