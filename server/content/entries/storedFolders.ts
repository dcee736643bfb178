import { readPlace, type SearchFilters } from '#events/search/filters.ts'
import { pathWithin, isTypedPath } from '#events/sources/fullPath.ts'
import type { Scope } from '#server/content/archived/index.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql, join } from '#server/platform/clickhouse/sql.ts'
import { sourceAt } from '#server/content/snapshots/reading/entriesAt.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { isAt, folded, nameText, below, childrenOf, hasPath } from './conditions.ts'
import { folderOf, placeKey, rowsAt } from './places.ts'

/** A folder of a storage by its path there, `/` for the root. */
export type StoredFolder = { volumeId: number; path: string }

/**
 * The folders that a typed path means, by their stored paths. It is read as a path within each storage of the snapshot, and
 * as a full path, as lists show and copy it.
 */
export async function storedFolders(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  typedPath: string,
): Promise<StoredFolder[]> {
  const byFullPath = snapshot.volumes.flatMap((volume) => {
    const path = volume.root === '/' ? undefined : pathWithin(volume.root, typedPath)
    return path === undefined ? [] : [foldersAt(clickhouse, { ...snapshot, volumes: [volume] }, path)]
  })
  const within = typedPath.startsWith('/') ? foldersAt(clickhouse, snapshot, typedPath) : []
  return (await Promise.all([within, ...byFullPath])).flat()
}

/**
 * Folders with the paths that their storages have: one that doesn't exist as written stands for the only folder that it means otherwise,
 * as in another letter case. Others stay unchanged: they may appear later.
 */
export async function asStored<Folder extends StoredFolder>(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  folders: readonly Folder[],
): Promise<Folder[]> {
  const placeOf = ({ volumeId, path }: StoredFolder) => ({ volumeId, path, isDirectory: true })
  const exact = await rowsAt(clickhouse, folders.map(placeOf), { columns: sql`1 AS found`, ...sourceAt(snapshot) })
  const known = new Set(exact.map(placeKey))
  const stored = async (folder: Folder): Promise<Folder> => {
    if (folder.path === '/' || known.has(placeKey(placeOf(folder)))) return folder
    const volumes = snapshot.volumes.filter(({ volumeId }) => volumeId === folder.volumeId)
    const [only, ...others] = await storedFolders(clickhouse, { ...snapshot, volumes }, folder.path)
    return only && others.length === 0 ? { ...folder, path: only.path } : folder
  }
  return Promise.all(folders.map(stored))
}

/** In each storage the folder with exactly this path, otherwise those whose names have the same search keys. */
async function foldersAt(clickhouse: ClickHouse, snapshot: Snapshot, typedPath: string): Promise<StoredFolder[]> {
  const names = namesOf(typedPath)
  if (names.length === 0) return snapshot.volumes.map(({ volumeId }) => ({ volumeId, path: '/' }))
  const path = `/${names.join('/')}`
  const exact = await readFolders(clickhouse, snapshot, isAt(path))
  const found = new Set(exact.map(({ volumeId }) => volumeId))
  const others = { ...snapshot, volumes: snapshot.volumes.filter(({ volumeId }) => !found.has(volumeId)) }
  if (others.volumes.length === 0) return exact
  const sameKey = (name: string) => ({ isMeant: sql`${nameText.key} = ${folded(name)}` })
  const { folders, rest } = await walk(clickhouse, others, names, sameKey)
  return rest.length === 0 ? [...exact, ...folders] : exact
}

/**
 * The folder whose path resembles a typed path most: at each level the folder with the most similar name, until no name is
 * similar. If that is so at the first level, a folder anywhere with the last name of the path.
 */
export async function closestFolder(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  typedPath: string,
): Promise<StoredFolder | undefined> {
  if (snapshot.volumes.length === 0) return undefined
  const names = namesOf(typedPath)
  const similar = (name: string) => {
    const distance = sql`damerauLevenshteinDistance(${nameText.key}, ${folded(name)})`
    return { isMeant: sql`${distance} <= ${maxDistance(name)}`, distance }
  }
  const { folders, rest } = await walk(clickhouse, snapshot, names, similar)
  const [closest] = folders
  if (closest && rest.length < names.length) return closest
  const isNamed = sql`${nameText.key} = ${folded(names.at(-1) ?? '')}`
  const [named] = await readFolders(clickhouse, snapshot, isNamed, { heavy: true })
  return named
}

/** Maximum number of wrong, missing or additional characters in a name. */
const maxDistance = (name: string): number => Math.max(1, Math.floor(name.length / 3))

/** One slash at the end is allowed; another one is a name that no folder has. */
const namesOf = (path: string): string[] => path.replace(/\/$/, '').split('/').slice(1)

/** The condition for a name, and its distance from the typed one unless all are equal. */
type NameRule = (name: string) => { isMeant: Sql; distance?: Sql }

/** Follows names from the root. Returns the folders that were reached, and the names for which there was no folder. */
async function walk(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  names: readonly string[],
  rule: NameRule,
): Promise<{ folders: StoredFolder[]; rest: readonly string[] }> {
  let folders: StoredFolder[] = snapshot.volumes.map(({ volumeId }) => ({ volumeId, path: '/' }))
  for (const [at, name] of names.entries()) {
    const parents = new Set(folders.map(({ volumeId, path }) => `${volumeId}:${path}`))
    const paths = [...new Set(folders.map(({ path }) => (path === '/' ? path : `${path}/`)))]
    const { isMeant, ...order } = rule(name)
    const children = await readFolders(clickhouse, snapshot, sql`parent_path IN ${paths} AND ${isMeant}`, order)
    const next = children.filter(({ volumeId, path }) =>
      parents.has(`${volumeId}:${folderOf(path).slice(0, -1) || '/'}`),
    )
    if (next.length === 0) return { folders, rest: names.slice(at) }
    folders = next
  }
  return { folders, rest: [] }
}

/** Maximum number of folders that are followed at each level. */
const maxFolders = 100

/** Folders that match a condition, the closest and highest first. */
async function readFolders(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  isMeant: Sql,
  { distance, heavy = false }: { distance?: Sql; heavy?: boolean } = {},
): Promise<StoredFolder[]> {
  const { from, where } = sourceAt(snapshot)
  return clickhouse.rows<StoredFolder>(
    sql`
      SELECT volume AS volumeId, concat(parent_path, name) AS path FROM ${from}
      WHERE ${where} AND is_directory AND parent_path != '' AND ${isMeant}
      ORDER BY ${distance ? sql`${distance}, ` : sql``}depth, path, volume LIMIT ${maxFolders}`,
    { heavy },
  )
}

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
