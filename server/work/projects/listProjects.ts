import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Answer, Input } from '#events/contract/endpoint.ts'
import type { Costs, mostActiveProjects, projects } from '#events/projects/calls.ts'
import { classPriceOn } from '#server/content/price-books/index.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import { type Scope, showsProject } from '#server/platform/callers/scope.ts'
import type { Trx } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { activeDate, bytesByClass, foldersOn } from './figures/shownFolders.ts'
import { openMoves } from './moves/openMoves.ts'

const sortable = {
  id: sql`id`,
  name: textOrder('name'),
  description: textOrder('description'),
  allocatedSize: sql`allocated_size`,
  sizeOfFiles: sql`size_of_files`,
  numberOfFiles: sql`number_of_files`,
  lastModifiedDate: sql`last_modified_date`,
  lastAccessDate: sql`last_access_date`,
}

type ProjectRow = {
  id: number
  name: string
  description: string
  allocatedSize: number
  sizeOfFiles: number
  apparentSize: number
  numberOfFiles: number
  numberOfFolders: number
  lastAccessDate: Date | null
  lastModifiedDate: Date | null
  indexingDate: string | null
  loadingReport: boolean
  movedFolders: number
  costs: Costs | null
}

/** A page of the projects whose name or description contains the filter, by name by default. */
export const listProjects = (
  db: Db,
  scope: Scope,
  { indexingDate, filter, ...page }: Input<typeof projects.list>['query'],
): Promise<Answer<typeof projects.list>> =>
  listPage(
    db,
    db
      .selectFrom(projectsOn(scope, indexingDate).as('projects'))
      .selectAll()
      .where(showsProject(scope, sql`id`))
      .where(sql<SqlBool>`position(lower(${filter}) IN lower(name || E'\n' || description)) > 0`),
    page,
    { sortable, sort: 'name', nulls: 'last' },
    ({ lastAccessDate, lastModifiedDate, costs, apparentSize, ...row }) => ({
      ...row,
      ...(apparentSize !== row.sizeOfFiles && { apparentSize }),
      lastAccessDate: lastAccessDate?.toISOString() ?? null,
      lastModifiedDate: lastModifiedDate?.toISOString() ?? null,
      costs: costs ?? [],
    }),
  )

/**
 * All projects with their figures on a date; costs per year, by currency. The prices of storage classes are looked up
 * once per storage instead of per project.
 */
const projectsOn = (scope: Scope, day: string | undefined) => sql<ProjectRow>`(
  WITH shown AS MATERIALIZED (
    SELECT project_id, volume_id, day, is_nested, is_counted, bytes, apparent_bytes, files, folders.folders, last_access, last_modified, class_bytes
    FROM ${foldersOn(activeDate(day))}
  ), figures AS (
    SELECT project_id, sum(bytes) FILTER (WHERE NOT is_nested) AS bytes,
      sum(apparent_bytes) FILTER (WHERE NOT is_nested) AS apparent_bytes, sum(files) FILTER (WHERE NOT is_nested) AS files,
      sum(folders) FILTER (WHERE NOT is_nested) AS folders, max(last_access) AS last_access,
      max(last_modified) AS last_modified, bool_or(NOT is_counted) AS is_counting
    FROM shown GROUP BY project_id
  ), held AS MATERIALIZED (
    SELECT project_id, volume_id, day, storage_class, sum(held_bytes) AS bytes
    FROM shown AS folders ${bytesByClass} WHERE NOT is_nested GROUP BY 1, 2, 3, 4
  ), prices AS MATERIALIZED (
    SELECT volume_id, storage_class, ${classPriceOn('held.volume_id', 'held.day', 'held.storage_class')} AS price
    FROM (SELECT DISTINCT volume_id, day, storage_class FROM held) AS held
  ), priced AS (
    SELECT project_id, bytes, price FROM held JOIN prices
      ON prices.volume_id = held.volume_id AND prices.storage_class IS NOT DISTINCT FROM held.storage_class
  ), costs AS MATERIALIZED (
    SELECT project_id, price ->> 'currencySymbol' AS symbol, sum(bytes / 1073741824.0 * (price ->> 'price')::float8) AS cost
    FROM priced WHERE price IS NOT NULL GROUP BY 1, 2
  )
  SELECT projects.id, name, description, allocated_size, coalesce(bytes, 0)::float8 AS size_of_files,
    coalesce(apparent_bytes, 0)::float8 AS apparent_size, coalesce(files, 0)::float8 AS number_of_files, coalesce(figures.folders, 0)::float8 AS number_of_folders,
    last_access AS last_access_date, last_modified AS last_modified_date, (${activeDate(day)}) AS indexing_date,
    coalesce(is_counting, false) AS loading_report,
    (SELECT count(*)::integer FROM ${openMoves(scope)} WHERE project_id = projects.id) AS moved_folders,
    (SELECT json_agg(json_build_object('currencySymbol', symbol, 'perYear', cost) ORDER BY symbol)
      FROM costs WHERE costs.project_id = projects.id) AS costs
  FROM projects LEFT JOIN figures ON figures.project_id = projects.id)`

/**
 * The projects whose size changed most since the newest date at least the given number of days ago, or since the oldest
 * date if none is that old. Leaves out unchanged projects, and those still being counted on either date.
 */
export async function listMostActive(
  db: Db,
  scope: Scope,
  { indexingDate, duration, size }: Input<typeof mostActiveProjects>['query'],
): Promise<Answer<typeof mostActiveProjects>> {
  const sizesOn = (dates: RawBuilder<unknown>) => sql`
    SELECT project_id, coalesce(sum(bytes) FILTER (WHERE NOT is_nested), 0)::float8 AS bytes
    FROM ${foldersOn(dates)} GROUP BY project_id HAVING bool_and(is_counted)`
  const { rows } = await sql<Answer<typeof mostActiveProjects>[number]>`
    WITH active AS (${activeDate(indexingDate)}), before AS (
      SELECT coalesce(max(indexing_date) FILTER (WHERE indexing_date <= day - ${duration}::integer), min(indexing_date)) AS day
      FROM snapshots, active WHERE indexing_date < active.day
    )
    SELECT id, name, now.bytes AS size_of_files, past.bytes AS previous_size, now.bytes - past.bytes AS variation
    FROM projects
    JOIN (${sizesOn(sql`SELECT day FROM active`)}) AS now ON now.project_id = id
    JOIN (${sizesOn(sql`SELECT day FROM before WHERE day IS NOT NULL`)}) AS past ON past.project_id = id
    WHERE now.bytes != past.bytes AND ${showsProject(scope, sql`id`)}
    ORDER BY abs(now.bytes - past.bytes) DESC, lower(name), id LIMIT ${size}`.execute(db)
  return rows
}

/**
 * Size of each project relative to its allocated size on the newest date, by name, and its size on the oldest date
 * within the given number of days; days are null if there is no date. `bytes` and `bytesBefore` are null then, and
 * while they are being counted.
 */
export async function projectSpaces(db: Db | Trx, ids: number[], daysBefore = 0) {
  const { rows: dates } = await sql<{ day: string | null; dayBefore: string | null }>`
    WITH active AS (${activeDate(undefined)})
    SELECT day, (SELECT min(indexing_date) FROM snapshots WHERE indexing_date < day
      AND indexing_date >= day - ${daysBefore}::integer) AS day_before FROM active`.execute(db)
  const { day, dayBefore } = dates[0] ?? { day: null, dayBefore: null }
  const { rows: projects } = await sql<Space>`
    SELECT projects.id, name, allocated_size, ${bytesOn(day)} AS bytes, ${bytesOn(dayBefore)} AS bytes_before
    FROM projects LEFT JOIN ${foldersOn(sql`SELECT unnest(${[day, dayBefore]}::date[]) AS day`)} ON folders.project_id = projects.id
    WHERE projects.id = ANY(${ids}) GROUP BY projects.id ORDER BY lower(name)`.execute(db)
  return { day, dayBefore, projects }
}

type Space = { id: number; name: string; allocatedSize: number; bytes: number | null; bytesBefore: number | null }

const bytesOn = (day: string | null) => sql`
  CASE WHEN ${day}::date IS NOT NULL AND coalesce(bool_and(is_counted) FILTER (WHERE day = ${day}::date), true)
    THEN coalesce(sum(bytes) FILTER (WHERE day = ${day}::date AND NOT is_nested), 0)::float8 END`
