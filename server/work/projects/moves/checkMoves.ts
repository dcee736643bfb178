import { sql } from 'kysely'
import { evolveMoves, type FolderMove } from '#events/projects/moves.ts'
import { streamNames } from '#events/streams.ts'
import { type Change, change } from '#server/platform/log/change.ts'
import { system, type Trx } from '#server/platform/log/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { decideMove, type Whereabouts } from './decideMove.ts'
import { type CommittedVolume, locateFolders } from './locateFolders.ts'

type Deps = Pick<Platform, 'db' | 'clickhouse' | 'live'>

/** A tracked folder that wasn't looked for in the committed scan of its volume. */
type Unchecked = Omit<Tracked, 'id'> & { id: number; projectId: number } & CommittedVolume
type Tracked = {
  id: number
  volumeId: number
  path: string
  checkedScan: number | null
  movedTo: string | null
  places: FolderMove['places'] | null
  isRejected: boolean | null
}

/** Looks for the tracked folders in scans that were committed since the last check, and records where they are. */
export async function checkMoves(platform: Deps, signal = new AbortController().signal): Promise<void> {
  const unchecked = await findUnchecked(platform)
  for (const folders of Map.groupBy(unchecked, ({ volumeId }) => volumeId).values()) {
    if (signal.aborted) return
    const [volume] = folders as [Unchecked]
    const found = await locateFolders(platform.clickhouse, volume, folders.map(searchOf))
    const places = new Map(folders.map(({ id }, index) => [id, found[index] as Whereabouts]))
    for (const projectId of new Set(folders.map((folder) => folder.projectId)))
      await change(
        platform,
        system,
        (facts: number) => (facts > 0 ? ['projects'] : []),
        (change) => recordPlaces(change, projectId, volume, places),
      )
  }
}

const searchOf = (folder: Tracked) => ({
  path: folder.path,
  checkedScan: folder.checkedScan ?? 0,
  known: moveOf(folder),
})

async function findUnchecked({ db }: Pick<Deps, 'db'>): Promise<Unchecked[]> {
  const { rows } = await sql<Unchecked>`
    SELECT folders.id, project_id, volume_id, folders.path, checked_scan, moved_to, places, is_rejected, generation, layers, committed_scan
    FROM project_folders AS folders
    JOIN volumes ON volumes.id = volume_id
    LEFT JOIN project_moves ON folder_id = folders.id
    WHERE current_id IS NULL AND deleted_at IS NULL AND generation IS NOT NULL
      AND committed_scan > coalesce(checked_scan, 0)
    ORDER BY volume_id, project_id, folders.id`.execute(db)
  return rows
}

/** Records where folders of one project were found, unless they changed meanwhile. Returns the number of facts. */
async function recordPlaces(
  { trx, recordFact }: Change,
  projectId: number,
  { volumeId, committedScan }: CommittedVolume,
  places: Map<number, Whereabouts>,
): Promise<number> {
  const project = trx.selectFrom('projects').select('id').where('id', '=', projectId).forUpdate()
  if (!(await project.executeTakeFirst())) return 0
  let count = 0
  const checked: number[] = []
  for (const folder of await readTracked(trx, projectId, volumeId)) {
    const found = places.get(folder.id)
    if (!found || (folder.checkedScan ?? 0) >= committedScan) continue
    checked.push(folder.id)
    const known = moveOf(folder)
    const facts = decideMove(folder, known, found)
    for (const fact of facts) await recordFact(streamNames.project(projectId), fact)
    if (facts.length > 0) await storeMove(trx, folder.id, facts.reduce(evolveMoves, known ? [known] : [])[0])
    count += facts.length
  }
  const rows = trx.updateTable('projectFolders').set({ checkedScan: committedScan })
  if (checked.length > 0) await rows.where('id', 'in', checked).execute()
  return count
}

const readTracked = (trx: Trx, projectId: number, volumeId: number): Promise<Tracked[]> =>
  trx
    .selectFrom('projectFolders')
    .leftJoin('projectMoves', 'projectMoves.folderId', 'projectFolders.id')
    .select(['id', 'volumeId', 'path', 'checkedScan', 'movedTo', 'places', 'isRejected'])
    .where('projectId', '=', projectId)
    .where('volumeId', '=', volumeId)
    .where('currentId', 'is', null)
    .orderBy('id')
    .execute()

function moveOf({ volumeId, path, movedTo, places, isRejected }: Omit<Tracked, 'id'>): FolderMove | undefined {
  if (movedTo === null || places === null || isRejected === null) return undefined
  return { volumeId, path, movedTo, places, isRejected }
}

async function storeMove(trx: Trx, folderId: number, move: FolderMove | undefined): Promise<void> {
  await trx.deleteFrom('projectMoves').where('folderId', '=', folderId).execute()
  if (!move) return
  const { movedTo, places, isRejected } = move
  const row = { folderId, movedTo, places: JSON.stringify(places), isRejected }
  await trx.insertInto('projectMoves').values(row).execute()
}
