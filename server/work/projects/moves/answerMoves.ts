import { sql } from 'kysely'
import type { TrackedFolder } from '#events/projects/calls.ts'
import type { AnsweredMove, FolderMoveFact } from '#events/projects/moves.ts'
import { streamNames } from '#events/streams.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { Caller } from '#server/platform/http/route.ts'
import type { Change } from '#server/platform/log/change.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import { conflict } from '#server/platform/problem.ts'
import { checkEditable } from '#server/work/projects/checkProject.ts'
import { lockProject, updateProject } from '#server/work/projects/projects.ts'
import { openMoves } from './openMoves.ts'

/**
 * Replaces folders of a project by the paths to which they moved: an edit like any other. Throws 404, and 409 for a
 * folder that was found elsewhere meanwhile, is back, or was answered.
 */
export async function followMoves(change: Change<Caller>, id: number, folders: AnsweredMove[]): Promise<void> {
  await checkEditable(change.trx, change.by, id)
  const project = await lockProject(change.trx, id)
  await findMoves(change.trx, change.by.scope, id, folders)
  const paths = project.paths.map(({ volumeId, path }) => {
    const move = folders.find((folder) => folder.volumeId === volumeId && folder.path === path)
    return { volumeId, path: move?.movedTo ?? path }
  })
  await updateProject(change, id, { ...project, paths: distinct(paths) })
}

/** Keeps folders of a project at their paths, and doesn't ask again. Throws like `followMoves`. */
export async function rejectMoves(
  { trx, by, recordFact }: Change<Caller>,
  id: number,
  folders: AnsweredMove[],
): Promise<void> {
  await checkEditable(trx, by, id)
  await lockProject(trx, id)
  const moves = await findMoves(trx, by.scope, id, folders)
  const ids = moves.map(({ folderId }) => folderId)
  await trx.updateTable('projectMoves').set({ isRejected: true }).where('folderId', 'in', ids).execute()
  for (const { volumeId, path, movedTo } of moves) {
    const fact: FolderMoveFact = { type: 'FolderMoveRejected', volumeId, path, movedTo }
    await recordFact(streamNames.project(id), fact)
  }
}

type OpenMove = AnsweredMove & { folderId: number }

async function findMoves(trx: Trx, scope: Scope, projectId: number, folders: AnsweredMove[]): Promise<OpenMove[]> {
  const { rows } = await sql<OpenMove>`
    SELECT folder_id, volume_id, path, moved_to FROM ${openMoves(scope)} WHERE project_id = ${projectId}`.execute(trx)
  const found = folders.map(({ volumeId, path, movedTo }) => {
    const move = rows.find((row) => row.volumeId === volumeId && row.path === path && row.movedTo === movedTo)
    return move ?? conflict(`The folder ${path} is no longer waiting for this answer. Reload the project.`)
  })
  return [...new Set(found)]
}

/** The new path may be tracked already. */
const distinct = (folders: TrackedFolder[]): TrackedFolder[] => [
  ...new Map(folders.map((folder) => [`${folder.volumeId}:${folder.path}`, folder])).values(),
]
