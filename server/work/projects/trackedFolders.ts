import type { TrackedFolder } from '#events/projects/calls.ts'
import type { FolderPlace } from '#events/projects/moves.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { invalid } from '#server/platform/problem.ts'
import { type FollowedFolder, type PlaceInScans, placesOverTime } from './placesOverTime.ts'

/** A folder as stored; `move` is where scans found it, if it is no longer at its path. */
type StoredFolder = FollowedFolder & { id: number; move: { movedTo: string; places: FolderPlace[] } | undefined }

/** A folder to store; one that is tracked already, also at another path, keeps its number. */
type NextFolder = FollowedFolder & { id?: number }

/**
 * Sets the folders of a project. A folder that is replaced by the path to which it moved keeps its number and its
 * history. Throws 400 for an added folder of a storage that is not configured.
 */
export async function trackFolders(trx: Trx, projectId: number, folders: TrackedFolder[]): Promise<void> {
  const known = await readTracked(trx, projectId)
  await checkVolumes(
    trx,
    folders.filter((folder) => !known.some((other) => isSame(other, folder))),
  )
  const next = nextFolders(known, folders)
  const kept = next.flatMap(({ id }) => id ?? [])
  const gone = known.filter(({ id }) => !kept.includes(id)).map(({ id }) => id)
  const projectFolders = () => trx.deleteFrom('projectFolders').where('projectId', '=', projectId)
  await projectFolders().where('currentId', 'is not', null).execute()
  if (gone.length > 0) await projectFolders().where('id', 'in', gone).execute()
  await storeFolders(trx, projectId, known, next)
}

async function readTracked(trx: Trx, projectId: number): Promise<StoredFolder[]> {
  const rows = await trx
    .selectFrom('projectFolders')
    .leftJoin('projectMoves', 'projectMoves.folderId', 'projectFolders.id')
    .select(['id', 'currentId', 'volumeId', 'path', 'beforeScan', 'movedTo', 'places'])
    .where('projectId', '=', projectId)
    .orderBy('fromScan')
    .orderBy('id')
    .execute()
  const earlier = Map.groupBy(rows, ({ currentId }) => currentId)
  const current = (earlier.get(null) ?? []).toSorted((a, b) => a.id - b.id)
  return current.map(({ id, volumeId, path, movedTo, places }) => ({
    id,
    volumeId,
    path,
    earlier: pathsBefore(path, earlier.get(id) ?? []),
    move: movedTo === null || places === null ? undefined : { movedTo, places },
  }))
}

/** The earlier paths of a folder. Several rows have the same path if it was nested in some scans only. */
const pathsBefore = (path: string, rows: FolderPlace[]): FolderPlace[] =>
  rows
    .filter((row, index) => row.path !== (rows[index + 1]?.path ?? path))
    .map(({ path, beforeScan }) => ({ path, beforeScan }))

/** The folders with their numbers and histories. A path with a history of its own doesn't take over another one. */
function nextFolders(known: StoredFolder[], folders: TrackedFolder[]): NextFolder[] {
  const left = known.flatMap(({ move, ...folder }) =>
    move && !folders.some((other) => isSame(other, folder)) ? [{ ...folder, move }] : [],
  )
  return folders.map(({ volumeId, path }) => {
    const own = known.find((folder) => isSame(folder, { volumeId, path }))
    const moved = left.find((folder) => folder.volumeId === volumeId && folder.move.movedTo === path)
    const id = own?.id ?? moved?.id
    const earlier = moved && !own?.earlier.length ? [...moved.earlier, ...moved.move.places] : (own?.earlier ?? [])
    return { volumeId, path, earlier, ...(id !== undefined && { id }) }
  })
}

async function storeFolders(trx: Trx, projectId: number, known: StoredFolder[], next: NextFolder[]): Promise<void> {
  const places = placesOverTime(next)
  const rowOf = ({ volumeId }: NextFolder, place: PlaceInScans) => ({ projectId, volumeId, ...place })
  const earlier: (ReturnType<typeof rowOf> & { currentId: number })[] = []
  for (const [index, folder] of next.entries()) {
    const [current, ...before] = (places[index] ?? []).toReversed() as [PlaceInScans, ...PlaceInScans[]]
    const id = await storeFolder(trx, rowOf(folder, current), known, folder)
    earlier.push(...before.map((place) => ({ ...rowOf(folder, place), currentId: id })))
  }
  if (earlier.length > 0) await trx.insertInto('projectFolders').values(earlier).execute()
}

async function storeFolder(
  trx: Trx,
  row: PlaceInScans & { projectId: number; volumeId: number },
  known: StoredFolder[],
  { id }: NextFolder,
): Promise<number> {
  if (id === undefined) {
    const inserted = trx.insertInto('projectFolders').values(row).returning('id')
    return (await inserted.executeTakeFirstOrThrow()).id
  }
  const { path, isNested, fromScan } = row
  const isElsewhere = known.some((folder) => folder.id === id && folder.path !== path)
  if (isElsewhere) await trx.deleteFrom('projectMoves').where('folderId', '=', id).execute()
  await trx
    .updateTable('projectFolders')
    .set({ path, isNested, fromScan, ...(isElsewhere && { checkedScan: null }) })
    .where('id', '=', id)
    .where(({ eb, or }) => or([eb('path', '!=', path), eb('isNested', '!=', isNested), eb('fromScan', '!=', fromScan)]))
    .execute()
  return id
}

const isSame = (a: TrackedFolder, b: TrackedFolder): boolean => a.volumeId === b.volumeId && a.path === b.path

async function checkVolumes(trx: Trx, folders: TrackedFolder[]): Promise<void> {
  if (folders.length === 0) return
  const ids = folders.map(({ volumeId }) => volumeId)
  const living = trx.selectFrom('volumes').select('id').where('id', 'in', ids).where('deletedAt', 'is', null)
  const found = (await living.forKeyShare().execute()).map(({ id }) => id)
  const unknown = ids.findIndex((id) => !found.includes(id))
  if (unknown >= 0) invalid('paths', `must be folders of configured storages; storage ${ids[unknown]} is not one`)
}
