import type { ActionRequest } from '#events/actions/plans.ts'
import { isPrefix, namesOf, pathWithin } from '#events/sources/pathMapping.ts'
import type { SelectedEntry, Selection } from '#events/selections.ts'
import { invalid } from '#server/platform/problem.ts'
import type { ShownVolume } from '#server/snapshots/reading/snapshotAt.ts'

/**
 * The entries of an action. A path may be a file or a folder, so both are looked up; the number of those looked up in vain is `surplus`.
 * Throws 400 for a path that is in no storage.
 */
export function selectionOf(
  { payload }: ActionRequest,
  volumes: readonly ShownVolume[],
): { selection: Selection; surplus: number } {
  if ('filters' in payload)
    return { selection: { filters: payload.filters, isDirectory: payload.isDirectory }, surplus: 0 }
  if ('criteria' in payload)
    return { selection: { criteria: payload.criteria, isDirectory: payload.isDirectory }, surplus: 0 }
  const paths = 'sources' in payload ? payload.sources.map(({ path }) => path) : payload.dataIntellPaths
  const places = [...new Set(paths)].map((path, index) => placeAt(volumes, path, index))
  const entries = places.flatMap((place): SelectedEntry[] => [
    { ...place, isDirectory: false },
    { ...place, isDirectory: true },
  ])
  return { selection: { entries }, surplus: places.length }
}

/** The volume and the path there of a full path; the volume with the longest matching root. */
function placeAt(volumes: readonly ShownVolume[], path: string, index: number): { volumeId: number; path: string } {
  const [volume] = volumes
    .filter(({ root }) => isPrefix(root, path))
    .toSorted((a, b) => namesOf(b.root).length - namesOf(a.root).length)
  if (!volume) return invalid(`dataIntellPaths.${index}`, `is in no storage: ${path}`)
  return { volumeId: volume.volumeId, path: pathWithin(volume.root, path) || '/' }
}
