import type { FolderPlace } from '#events/projects/moves.ts'

/** A tracked folder with its current path, and its earlier ones, oldest first. */
export type FollowedFolder = { volumeId: number; path: string; earlier: FolderPlace[] }

/** A path of a folder in the scans from `fromScan` up to `beforeScan` (exclusive). */
export type PlaceInScans = { path: string; isNested: boolean; fromScan: number; beforeScan: number }

/** Higher than any scan. */
export const noScan = Number.MAX_SAFE_INTEGER

/**
 * The places of each folder over all scans of its volume, oldest first; the last one is the current one. A place ends
 * when the folder moves, or when a move of another one puts it into that folder or takes it out. At a path that two
 * folders had, the second one is nested.
 */
export function placesOverTime(folders: readonly FollowedFolder[]): PlaceInScans[][] {
  const places = folders.map((): PlaceInScans[] => [])
  const numbered = folders.map((folder, index) => ({ folder, index }))
  for (const sameVolume of Map.groupBy(numbered, ({ folder }) => folder.volumeId).values()) {
    const ends = sameVolume.flatMap(({ folder }) => folder.earlier.map(({ beforeScan }) => beforeScan))
    let fromScan = 0
    for (const beforeScan of [...new Set([...ends, noScan])].sort((a, b) => a - b)) {
      const paths = sameVolume.map(({ folder }) => pathIn(folder, fromScan))
      const firstAt = new Map(paths.map((path, place): [string, number] => [path, place]).toReversed())
      for (const [place, { index }] of sameVolume.entries()) {
        const path = paths[place] as string
        const isNested = firstAt.get(path) !== place || parentsOf(path).some((parent) => firstAt.has(parent))
        addPlace(places[index] as PlaceInScans[], { path, isNested, fromScan, beforeScan })
      }
      fromScan = beforeScan
    }
  }
  return places
}

const pathIn = ({ path, earlier }: FollowedFolder, scan: number): string =>
  earlier.find(({ beforeScan }) => scan < beforeScan)?.path ?? path

function addPlace(places: PlaceInScans[], place: PlaceInScans): void {
  const last = places.at(-1)
  if (last?.path === place.path && last.isNested === place.isNested) last.beforeScan = place.beforeScan
  else places.push(place)
}

/** The folders that contain a path: for '/a/b' these are '/' and '/a'. */
function parentsOf(path: string): string[] {
  if (path === '/') return []
  const names = path.split('/')
  return names.slice(1).map((_, count) => names.slice(0, count + 1).join('/') || '/')
}
