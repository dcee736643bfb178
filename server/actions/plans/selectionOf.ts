import type { ActionRequest } from '#events/actions/plans.ts'
import type { PayloadOf } from '#events/jobs/payloads.ts'
import { isPrefix, namesOf, pathWithin } from '#events/sources/pathMapping.ts'
import type { SelectedEntry, Selection } from '#events/selections.ts'
import { invalid } from '#server/platform/problem.ts'
import type { ShownVolume } from '#server/snapshots/reading/snapshotAt.ts'

/**
 * The entries of an action. Of a path alone it is unknown whether it is a file or a folder, so both are looked up; the number of those looked up
 * in vain is `surplus`. Throws 400 for a path that is in no storage, or not in the given one.
 */
export function selectionOf(
  { payload }: ActionRequest,
  volumes: readonly ShownVolume[],
): { selection: Selection; surplus: number } {
  if ('filters' in payload)
    return { selection: { filters: payload.filters, isDirectory: payload.isDirectory }, surplus: 0 }
  if ('criteria' in payload)
    return { selection: { criteria: payload.criteria, isDirectory: payload.isDirectory }, surplus: 0 }
  if ('sources' in payload) return { selection: { entries: sourceEntries(payload.sources, volumes) }, surplus: 0 }
  const paths = [...new Set(payload.dataIntellPaths)]
  const places = paths.map((path, index) => placeAt(volumes, path, `dataIntellPaths.${index}`))
  const entries = places.flatMap((place): SelectedEntry[] => [
    { ...place, isDirectory: false },
    { ...place, isDirectory: true },
  ])
  return { selection: { entries }, surplus: places.length }
}

type Source = PayloadOf<'SODA_TRANSFER'>['sources'][number]

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

/** The path in a storage of a source, which has the full path, or the path in the storage as records have it. Undefined if it is elsewhere. */
export function pathOfSource(root: string, path: string): string | undefined {
  if (isPrefix(root, path)) return pathWithin(root, path) || '/'
  return path.startsWith('/') ? pathWithin('/', path) || '/' : undefined
}

/** The volume and the path there of a full path; the volume with the longest matching root. */
function placeAt(volumes: readonly ShownVolume[], path: string, field: string): { volumeId: number; path: string } {
  const [volume] = volumes
    .filter(({ root }) => isPrefix(root, path))
    .toSorted((a, b) => namesOf(b.root).length - namesOf(a.root).length)
  if (!volume) return invalid(field, `is in no storage: ${path}`)
  return { volumeId: volume.volumeId, path: pathWithin(volume.root, path) || '/' }
}
