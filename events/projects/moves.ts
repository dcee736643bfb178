import { z } from 'zod'
import { endpoint, Id } from '#events/contract/endpoint.ts'
import { TrackedFolder } from './calls.ts'

/** A path at which a folder was in earlier scans, up to the scan that no longer found it there. */
export type FolderPlace = { path: string; beforeScan: number }

/** A tracked folder that scans found at another path; `places` are its paths before, oldest first. */
export type FolderMove = {
  volumeId: number
  path: string
  movedTo: string
  places: FolderPlace[]
  isRejected: boolean
}

type MovedAt = Pick<FolderMove, 'volumeId' | 'path' | 'movedTo'>

/** Facts about the folders of a project that scans found at another path. */
export type FolderMoveFact =
  | ({ type: 'FolderMoveFound' } & Omit<FolderMove, 'isRejected'>)
  | ({ type: 'FolderMoveRejected' } & MovedAt)
  /** The folder is at its tracked path again, or no longer at the other one. */
  | ({ type: 'FolderMoveWithdrawn' } & Pick<FolderMove, 'volumeId' | 'path'>)

/** Events of a project; `paths` are its folders as `volumeId:path`, absent if only its recipients changed. */
export type ProjectEvent =
  | FolderMoveFact
  | { type: 'Created' | 'Changed'; after: { paths?: string[] } }
  | { type: 'Removed' | 'StatementClosed' }

/** The folders of a project that were found elsewhere, after one more event. */
export function evolveMoves(moves: FolderMove[], event: ProjectEvent): FolderMove[] {
  switch (event.type) {
    case 'FolderMoveFound': {
      const { volumeId, path, movedTo, places } = event
      // An answer holds for all later moves of the folder, until it is back.
      const isRejected = moves.some((move) => isOf(move, event) && move.isRejected)
      return [...without(moves, event), { volumeId, path, movedTo, places, isRejected }]
    }
    case 'FolderMoveRejected':
      return moves.map((move) => (isOf(move, event) ? { ...move, isRejected: true } : move))
    case 'FolderMoveWithdrawn':
      return without(moves, event)
    case 'Created':
    case 'Changed': {
      const { paths } = event.after
      return paths ? moves.filter(({ volumeId, path }) => paths.includes(`${volumeId}:${path}`)) : moves
    }
    case 'Removed':
      return []
    case 'StatementClosed':
      return moves
  }
}

type Place = Pick<FolderMove, 'volumeId' | 'path'>
const isOf = (move: Place, other: Place): boolean => move.volumeId === other.volumeId && move.path === other.path
const without = (moves: FolderMove[], folder: Place) => moves.filter((move) => !isOf(move, folder))

/** Folders of a project, each with the new path that the user saw: if it is another one meanwhile, the call fails. */
const AnsweredMoves = z.object({
  folders: z
    .array(TrackedFolder.pick({ volumeId: true, path: true }).extend({ movedTo: TrackedFolder.shape.path }))
    .min(1, 'must have at least one folder')
    .max(1_000, 'must be at most 1000 folders'),
})
export type AnsweredMove = z.infer<typeof AnsweredMoves>['folders'][number]

const answering = {
  method: 'PUT',
  needs: 'projects.manage',
  limitedBy: 'projects',
  params: Id,
  body: AnsweredMoves,
} as const

export const folderMoves = {
  /** The project tracks the folders at their new paths, and keeps their history. */
  follow: endpoint({
    ...answering,
    path: '/v1/projects/:id/moves/follow',
    failure: 'Unable to follow the moved folder',
  }),
  /** The project keeps tracking the old paths, and shows no more questions about these folders. */
  reject: endpoint({
    ...answering,
    path: '/v1/projects/:id/moves/reject',
    failure: 'Unable to save the answer about the moved folder',
  }),
}
