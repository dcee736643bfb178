import { sql } from 'kysely'

/** Folders of projects that were found elsewhere and may be followed, for use in a FROM. */
export const openMoves = sql`(
  SELECT folder_id, project_id, tracked.volume_id, tracked.path, moved_to
  FROM project_moves
  JOIN project_folders AS tracked ON tracked.id = folder_id
  JOIN volumes ON volumes.id = tracked.volume_id
  WHERE NOT is_rejected AND deleted_at IS NULL) AS open_moves`
