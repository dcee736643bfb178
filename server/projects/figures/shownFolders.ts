import { type RawBuilder, sql } from 'kysely'

/** The newest date on or before a day, as a query of one row: null while nothing is indexed. */
export const activeDate = (day: string | undefined) => sql<{ day: string | null }>`
  SELECT max(indexing_date) AS day FROM snapshots WHERE indexing_date <= coalesce(${day ?? null}::date, 'infinity')`

/** The columns that `foldersOn` gives. */
const columns = sql`tracked.id, tracked.project_id, tracked.volume_id, tracked.path, tracked.is_nested, dates.day,
    snapshots.volume_id IS NULL OR figures.shown IS NOT NULL AS is_counted, coalesce(figures.is_there, false) AS is_there,
    coalesce(figures.bytes, 0) AS bytes, coalesce(figures.files, 0) AS files, coalesce(figures.folders, 0) AS folders,
    figures.last_access, figures.last_modified, figures.statistics, figures.class_bytes`

/**
 * The tracked folders, of all projects or of one, with their figures on each date of `dates` (a query with a column `day`), to stand
 * in a FROM: `is_counted` of those whose figures are known. A storage that the date does not show counts nothing, and is known to.
 */
export const foldersOn = (dates: RawBuilder<unknown>, projectId?: number) => sql`(
  SELECT ${columns}
  FROM project_folders AS tracked
  CROSS JOIN (${dates}) AS dates
  LEFT JOIN snapshots ON snapshots.indexing_date = dates.day AND snapshots.volume_id = tracked.volume_id
  LEFT JOIN folder_figures AS figures ON figures.indexing_date = dates.day AND figures.volume_id = tracked.volume_id
    AND figures.path_hash = tracked.path_hash AND figures.scan_id = snapshots.scan_id
  WHERE ${projectId === undefined ? sql`true` : sql`tracked.project_id = ${projectId}`}) AS folders`

/** The bytes of each of these folders by storage class, to stand in a FROM after them: one row without a class where it has none. */
export const bytesByClass = sql`
  CROSS JOIN LATERAL (
    SELECT key, value::float8 FROM jsonb_each_text(folders.class_bytes)
    UNION ALL
    SELECT NULL, folders.bytes WHERE coalesce(folders.class_bytes, '{}') = '{}') AS held(storage_class, held_bytes)`
