import { sql } from 'kysely'
import type { Answer, Input } from '#events/contract/endpoint.ts'
import type { projects } from '#events/projects/calls.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { shownName } from '#server/content/snapshots/reading/shownVolume.ts'
import { checkProject } from './checkProject.ts'
import { areLinksKnown, linkStates, placeScan } from './figures/shownFolders.ts'

type Query = Input<typeof projects.history>['query']

/** A project on each completely counted date, newest first: its current folders, as they were then. Throws 404. */
export async function projectHistory(
  db: Db,
  scope: Scope,
  id: number,
  query: Query,
): Promise<Answer<typeof projects.history>> {
  await checkProject(db, scope, id)
  const { rows } = await historyOf(id, query).execute(db)
  return rows.map(({ projectShares, ...row }) => ({
    ...row,
    projectShares: projectShares.map(({ deletedAt, ...share }) => ({
      ...share,
      volumeName: shownName(share.volumeName, deletedAt),
    })),
  }))
}

type OnDate = Answer<typeof projects.history>[number]
type Row = Omit<OnDate, 'projectShares'> & {
  projectShares: (OnDate['projectShares'][number] & { deletedAt: string | null })[]
}

/**
 * Figures are summed up by storage before they are joined with dates: with 100 folders and three months that takes a
 * quarter of the time. Use only columns of `folder_figures` that are in its index: reading its rows takes three times
 * as long.
 */
export function historyOf(id: number, { indexingDate, from, to, size }: Query) {
  const last = [indexingDate, to].filter((day) => day !== undefined).sort()[0]
  return sql<Row>`
    WITH dates AS MATERIALIZED (
      SELECT DISTINCT indexing_date AS day FROM snapshots
      WHERE indexing_date BETWEEN coalesce(${from ?? null}::date, '-infinity') AND coalesce(${last ?? null}::date, 'infinity')
      ORDER BY day DESC LIMIT ${size}
    ), known AS MATERIALIZED (
      SELECT figures.indexing_date AS day, figures.volume_id, scan_id, count(*) AS folders,
        coalesce(sum(figures.bytes - coalesce(links.bytes, 0)) FILTER (WHERE NOT is_nested), 0)::float8 AS bytes
      FROM project_folders AS tracked JOIN folder_figures AS figures USING (volume_id, path_hash) JOIN scans ON scans.id = scan_id
      LEFT JOIN project_links AS links
        ON links.folder_id = coalesce(tracked.current_id, tracked.id) AND links.indexing_date = figures.indexing_date
        AND (SELECT count(*) FROM project_folders WHERE project_id = ${id} AND current_id IS NULL) > 1
      WHERE project_id = ${id} AND figures.indexing_date BETWEEN (SELECT min(day) FROM dates) AND (SELECT max(day) FROM dates)
        AND ${placeScan} >= from_scan AND ${placeScan} < before_scan
      GROUP BY figures.indexing_date, figures.volume_id, scan_id
    ), shares AS (
      SELECT dates.day, tracked.volume_id, coalesce(known.bytes, 0) AS bytes,
        snapshots.volume_id IS NULL OR (coalesce(known.folders, 0) = tracked.folders AND ${areLinksKnown}) AS is_counted
      FROM (SELECT volume_id, count(*) AS folders FROM project_folders
        WHERE project_id = ${id} AND current_id IS NULL GROUP BY volume_id) AS tracked
      CROSS JOIN dates
      LEFT JOIN snapshots ON snapshots.indexing_date = dates.day AND snapshots.volume_id = tracked.volume_id
      LEFT JOIN known ON known.day = dates.day AND known.volume_id = tracked.volume_id AND known.scan_id = snapshots.scan_id
      LEFT JOIN ${linkStates(sql`SELECT day FROM dates`, id)} AS links_of ON links_of.day = dates.day
      LEFT JOIN linked_dates ON linked_dates.indexing_date = dates.day
    )
    SELECT day AS indexing_date, sum(bytes)::float8 AS size_of_files, json_agg(json_build_object('volumeId', volume_id,
        'volumeName', name, 'deletedAt', deleted_at, 'sizeOfFiles', bytes)
        ORDER BY bytes DESC, volume_id) AS project_shares
    FROM shares JOIN volumes ON volumes.id = volume_id
    GROUP BY day HAVING bool_and(is_counted) ORDER BY day DESC`
}
