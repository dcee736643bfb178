import type { ActionSelection, Source } from '#events/actions/actions.ts'
import { isPrefix, namesOf, pathWithin } from '#events/sources/pathMapping.ts'
import type { SelectedEntry, Selection } from '#events/selections.ts'
import { invalid } from '#server/platform/problem.ts'
import type { ShownVolume } from '#server/content/snapshots/reading/snapshotAt.ts'
import { pathOfSource } from '../kit/places.ts'

/**
 * The entries of an action. Of a path alone it is unknown whether it is a file or a folder, so both are looked up; the number of those looked up
 * in vain is `surplus`. Throws 400 for a path that is in no storage, or not in the given one.
 */
export function selectionOf(
  named: ActionSelection,
  volumes: readonly ShownVolume[],
): { selection: Selection; surplus: number } {
  if ('isDirectory' in named) return { selection: named, surplus: 0 }
  if ('sources' in named) return { selection: { entries: sourceEntries(named.sources, volumes) }, surplus: 0 }
  const paths = [...new Set(named.dataIntellPaths)]
  const places = paths.map((path, index) => placeAt(volumes, path, `dataIntellPaths.${index}`))
  const entries = places.flatMap((place): SelectedEntry[] => [
    { ...place, isDirectory: false },
    { ...place, isDirectory: true },
  ])
  return { selection: { entries }, surplus: places.length }
}

/** Files and folders that are named with their storage, each once. */
function sourceEntries(sources: readonly Source[], volumes: readonly ShownVolume[]): SelectedEntry[] {
  const entries = sources.map(({ storageId, path, isDirectory }, index) => {
    const [volume] = volumes.filter(({ volumeId }) => String(volumeId) === storageId)
    if (!volume) return invalid(`sources.${index}.storageId`, `is not a storage of the snapshot: ${storageId}`)
    const within = pathOfSource(volume.root, path)
    if (within === undefined) return invalid(`sources.${index}.path`, `is in no storage: ${path}`)
    return { volumeId: volume.volumeId, path: within, isDirectory }
  })
  return [...new Map(entries.map((entry) => [`${entry.volumeId} ${entry.isDirectory} ${entry.path}`, entry])).values()]
}

/** The volume and the path there of a full path; the volume with the longest matching root. */
function placeAt(volumes: readonly ShownVolume[], path: string, field: string): { volumeId: number; path: string } {
  const [volume] = volumes
    .filter(({ root }) => isPrefix(root, path))
    .toSorted((a, b) => namesOf(b.root).length - namesOf(a.root).length)
  if (!volume) return invalid(field, `is in no storage: ${path}`)
  return { volumeId: volume.volumeId, path: pathWithin(volume.root, path) || '/' }
}
