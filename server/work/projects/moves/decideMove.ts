import type { FolderMove, FolderMoveFact, FolderPlace } from '#events/projects/moves.ts'

/**
 * Result of looking for a tracked folder in the newest scan: it is at its path, at another one, or nowhere. `no news`
 * if it was gone before, too, and scans since then know nothing more.
 */
export type Whereabouts =
  | { state: 'here' | 'lost' | 'no news' }
  | { state: 'moved'; movedTo: string; places: FolderPlace[] }

/** The facts about a tracked folder that a check adds to those known. */
export function decideMove(
  folder: Pick<FolderMove, 'volumeId' | 'path'>,
  known: FolderMove | undefined,
  found: Whereabouts,
): FolderMoveFact[] {
  const { volumeId, path } = folder
  switch (found.state) {
    case 'moved': {
      const { movedTo, places } = found
      if (known?.movedTo === movedTo && known.places.length === places.length) return []
      return [{ type: 'FolderMoveFound', volumeId, path, movedTo, places }]
    }
    case 'here':
      return known ? [{ type: 'FolderMoveWithdrawn', volumeId, path }] : []
    case 'lost':
      // A rejection is kept: it holds if the folder appears at a third place, too.
      return known && !known.isRejected ? [{ type: 'FolderMoveWithdrawn', volumeId, path }] : []
    case 'no news':
      return []
  }
}
