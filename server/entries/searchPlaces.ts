import { readPlace, type SearchFilters } from '#events/search/filters.ts'
import type { Scope } from '#server/archived/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { isTypedPath, pathWithin } from '#events/sources/fullPath.ts'
import { below, childrenOf, hasPath, isAt } from './conditions.ts'
import { type StoredFolder, storedFolders } from './storedFolders.ts'

/**
 * The stored folders of a search: `starting` and `searched` have those that a typed starting path, and a path in the search field,
 * mean in addition to themselves, and an entry is in any of `places`. A typed path always counts too, because deleted folders are not
 * looked up.
 */
export type SearchPlaces = { starting: StoredFolder[]; searched: StoredFolder[]; places: StoredFolder[] }

type PathFilters = Pick<SearchFilters, 'search' | 'startingPath' | 'storageAndPath' | 'volumeAndPath'>

/** Looks up the typed paths of a search. */
export async function placesOf(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  { search, startingPath = '/', storageAndPath, volumeAndPath }: PathFilters,
): Promise<SearchPlaces> {
  const variants = async (inStorages: Snapshot, path: string) =>
    path === '/'
      ? []
      : (await storedFolders(clickhouse, inStorages, path)).filter(
          (folder) => childrenOf(folder.path) !== childrenOf(path),
        )
  const ofPlace = async (place: StoredFolder) => {
    const volumes = snapshot.volumes.filter(({ volumeId }) => volumeId === place.volumeId)
    return [place, ...(await variants({ ...snapshot, volumes }, place.path))]
  }
  const [starting, searched, ...places] = await Promise.all([
    variants(snapshot, startingPath),
    variants(snapshot, searchedPath(search) ?? '/'),
    ...[...storageAndPath, ...volumeAndPath].map(readPlace).map(ofPlace),
  ])
  return { starting, searched, places: places.flat() }
}

/** The conditions of a search on the folders of entries. */
export const placed = ({ startingPath }: PathFilters, { starting, places }: SearchPlaces): Sql[] => [
  ...(startingPath === undefined ? [] : [anyOf([below(startingPath), ...starting.map(isIn)])]),
  ...(places.length === 0 ? [] : [anyOf(places.map(isIn))]),
]

/** A path in the search field: names have no slashes. */
export const searchedPath = (typed = ''): string | undefined => {
  const path = typed.trim()
  return isTypedPath(path) || path.includes('/') ? path : undefined
}

/** Condition of a path in the search field: a part of a path, or a full path with all that is below it. */
export function searchedFor(path: string, { searched }: SearchPlaces, { volumes }: Snapshot): Sql {
  const inFull = volumes.flatMap(({ volumeId, root }) => {
    const within = pathWithin(root, path)
    return within === undefined ? [] : [sql`(volume = ${volumeId} AND ${isAt(within)})`]
  })
  return anyOf([hasPath(path), ...inFull, ...searched.map(isIn)])
}

const isIn = ({ volumeId, path }: StoredFolder): Sql => sql`(volume = ${volumeId} AND ${below(path)})`
const anyOf = (conditions: Sql[]): Sql => sql`(${join(conditions, ' OR ')})`

/** The folders that contain all entries of a search, in all selected volumes if there is only a starting path. */
export function scopesOf(
  { startingPath = '/' }: PathFilters,
  { starting, places }: SearchPlaces,
  { volumes }: Snapshot,
): Scope[] {
  const inAll = volumes.map(({ volumeId }) => ({ volumeId, path: startingPath }))
  const folders = places.length > 0 ? places : [...inAll, ...starting]
  return folders.map(({ volumeId, path }) => ({ volumeId, folder: childrenOf(path) }))
}
