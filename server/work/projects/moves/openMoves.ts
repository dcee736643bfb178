import { sql } from 'kysely'
import { type Scope, showsFolderAt } from '#server/platform/callers/scope.ts'

/** Folders of projects that were found elsewhere, where the scope shows them, and may be followed, for use in a FROM. */
export const openMoves = (scope: Scope) => sql`(
  SELECT folder_id, project_id, tracked.volume_id, tracked.path, moved_to
  FROM project_moves
  JOIN project_folders AS tracked ON tracked.id = folder_id
  JOIN volumes ON volumes.id = tracked.volume_id
  WHERE NOT is_rejected AND deleted_at IS NULL AND ${showsFolderAt(scope, sql`tracked.volume_id`, sql`moved_to`)}) AS open_moves`
