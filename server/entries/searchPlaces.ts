import { readPlace, type SearchFilters } from '#events/search/filters.ts'
import type { Scope } from '#server/archived/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { below, childrenOf } from './conditions.ts'
import { type StoredFolder, storedFolders } from './storedFolders.ts'

/**
 * The stored folders of a search: `starting` has those that a typed starting path means in addition to itself, and an entry is in
 * any of `places`. A typed path always counts too, because deleted folders are not looked up.
 */
export type SearchPlaces = { starting: StoredFolder[]; places: StoredFolder[] }

type PathFilters = Pick<SearchFilters, 'startingPath' | 'storageAndPath' | 'volumeAndPath'>

/** Looks up the typed paths of a search. */
export async function placesOf(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  { startingPath = '/', storageAndPath, volumeAndPath }: PathFilters,
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
  const [starting, ...places] = await Promise.all([
    variants(snapshot, startingPath),
    ...[...storageAndPath, ...volumeAndPath].map(readPlace).map(ofPlace),
  ])
  return { starting, places: places.flat() }
}

/** The conditions of a search on the folders of entries. */
export const placed = ({ startingPath }: PathFilters, { starting, places }: SearchPlaces): Sql[] => [
  ...(startingPath === undefined ? [] : [anyOf([below(startingPath), ...starting.map(isIn)])]),
  ...(places.length === 0 ? [] : [anyOf(places.map(isIn))]),
]

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
