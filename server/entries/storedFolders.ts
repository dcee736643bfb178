import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { sourceAt } from '#server/snapshots/reading/entriesAt.ts'
import type { Snapshot } from '#server/snapshots/reading/snapshotAt.ts'
import { pathWithin } from '#events/sources/fullPath.ts'
import { isAt } from './conditions.ts'
import { folderOf, placeKey, rowsAt } from './places.ts'
import { folded, nameText } from './searchKey.ts'

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
