import { type RawBuilder, sql } from 'kysely'
import { noScan } from '#server/work/projects/placesOverTime.ts'

/** The newest date on or before a day, as a query of one row: null before the first snapshot. */
export const activeDate = (day: string | undefined) => sql<{ day: string | null }>`
  SELECT max(indexing_date) AS day FROM snapshots WHERE indexing_date <= coalesce(${day ?? null}::date, 'infinity')`

/**
 * The projects of several folders on each date of `dates`, with the state of everything that the hard links between their folders depend
 * on, for use in a FROM.
 */
export const linkStates = (dates: RawBuilder<unknown>, projectId?: number) => sql`(
  SELECT each.project_id, dates.day, md5(string_agg(concat_ws(' ', each.id, each.current_id, each.volume_id, each.path_hash, each.is_nested,
      each.from_scan, each.before_scan, snapshots.scan_id, volumes.size_basis), ',' ORDER BY each.id)) AS state
  FROM (${dates}) AS dates CROSS JOIN project_folders AS each JOIN volumes ON volumes.id = each.volume_id
  LEFT JOIN snapshots ON snapshots.indexing_date = dates.day AND snapshots.volume_id = each.volume_id
  WHERE ${projectId === undefined ? sql`true` : sql`each.project_id = ${projectId}`}
  GROUP BY each.project_id, dates.day HAVING count(*) FILTER (WHERE each.current_id IS NULL) > 1)`

/** Condition on `links_of` (from `linkStates`) and `linked_dates`: the links of the project on the date are known, or it has none. */
export const areLinksKnown = sql`(links_of.state IS NULL OR coalesce(links_of.state = ANY (linked_dates.projects), false))`

/** The columns of `foldersOn`. */
const columns = sql`coalesce(tracked.current_id, tracked.id) AS id, tracked.project_id, tracked.volume_id, tracked.path, tracked.is_nested, dates.day,
    snapshots.volume_id IS NULL OR (figures.shown IS NOT NULL AND ${areLinksKnown}) AS is_counted, coalesce(figures.is_there, false) AS is_there,
    greatest(figures.bytes - coalesce(links.bytes, 0), 0) AS bytes,
    greatest(figures.apparent_bytes - coalesce(links.apparent_bytes, 0), 0) AS apparent_bytes, coalesce(figures.files, 0) AS files, coalesce(figures.folders, 0) AS folders,
    figures.last_access, figures.last_modified, figures.statistics, links.statistics AS repeated, figures.class_bytes`

/**
 * Joins the figures of each tracked folder on the date of `dates`, and what an earlier folder of its project has of them; follows those
 * tables in a FROM.
 */
const withFigures = (dates: RawBuilder<unknown>, projectId?: number) => sql`
  LEFT JOIN snapshots ON snapshots.indexing_date = dates.day AND snapshots.volume_id = tracked.volume_id
  LEFT JOIN scans ON scans.id = snapshots.scan_id
  LEFT JOIN folder_figures AS figures ON figures.indexing_date = dates.day AND figures.volume_id = tracked.volume_id
    AND figures.path_hash = tracked.path_hash AND figures.scan_id = snapshots.scan_id
  LEFT JOIN ${linkStates(dates, projectId)} AS links_of ON links_of.project_id = tracked.project_id AND links_of.day = dates.day
  LEFT JOIN project_links AS links ON links.indexing_date = dates.day AND links.folder_id = coalesce(tracked.current_id, tracked.id)
    AND links_of.state IS NOT NULL
  LEFT JOIN linked_dates ON linked_dates.indexing_date = dates.day`

/** Of `scans`: the number by which folders have their paths. An import, which came after scans of later days, has that of a scan. */
export const placeScan = sql`coalesce(scans.place_scan, scans.id)`

/** Condition: the folder was at this path in the date's scan. Dates without its storage have the current path. */
const wasThere = sql`tracked.from_scan <= coalesce(${placeScan}, ${noScan - 1})
    AND tracked.before_scan > coalesce(${placeScan}, ${noScan - 1})`

/**
 * The tracked folders, of all projects or of one, with their figures on each date of `dates` (a query with a column
 * `day`), each at its path of that date, for use in a FROM. `is_counted` is true if the figures and the links are known. A storage
 * missing on the date counts as zero, which is known. Those of one project are looked up over all dates; those of all projects are read date by date
 * (OFFSET 0 keeps the two joins apart), or the planner would read the figures of all dates.
 */
export const foldersOn = (dates: RawBuilder<unknown>, projectId?: number) =>
  projectId === undefined
    ? sql`(
  SELECT folders.* FROM (${dates}) AS dates
  CROSS JOIN LATERAL (SELECT ${columns} FROM project_folders AS tracked ${withFigures(sql`SELECT dates.day`)} WHERE ${wasThere} OFFSET 0) AS folders) AS folders`
    : sql`(
  SELECT ${columns} FROM project_folders AS tracked CROSS JOIN (${dates}) AS dates ${withFigures(dates, projectId)}
  WHERE tracked.project_id = ${projectId} AND ${wasThere}) AS folders`

/**
 * The bytes of each of these folders by storage class, for use in a FROM after them: one row without a class for
 * folders that have none.
 */
export const bytesByClass = sql`
  LEFT JOIN LATERAL jsonb_each_text(folders.class_bytes) AS class(name, bytes) ON true
  CROSS JOIN LATERAL (SELECT class.name, coalesce(class.bytes::float8, folders.bytes)) AS held(storage_class, held_bytes)`
