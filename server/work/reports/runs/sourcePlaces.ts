import { sql as postgres } from 'kysely'
import type { DataSource } from '#events/reports/templates.ts'
import { below } from '#server/content/entries/conditions.ts'
import { join, type Sql, sql } from '#server/platform/clickhouse/sql.ts'
import { type Scope, showsPart, showsProject } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { conflict } from '#server/platform/problem.ts'

/** A folder of a volume; '/' is all of it. */
export type SourcePlace = { volumeId: number; path: string }

/**
 * The current folders of data sources. Throws 409 if one of their storages or projects was deleted, or is not in the
 * scope, because the rest would have another meaning.
 */
export async function placesOf(db: Db, sources: readonly DataSource[], scope: Scope): Promise<SourcePlace[]> {
  const places: SourcePlace[] = []
  for (const source of sources)
    places.push(...(source.type === 'VOLUME' ? await ofVolume(db, source, scope) : await ofProject(db, source, scope)))
  return places
}

async function ofVolume(db: Db, { id, path }: DataSource, scope: Scope): Promise<SourcePlace[]> {
  const row = db.selectFrom('volumes').select(['name', 'deletedAt']).where('id', '=', id)
  const shown = row.where(showsPart(scope, postgres`id`))
  const { name, deletedAt } = (await shown.executeTakeFirst()) ?? { name: id, deletedAt: new Date() }
  if (deletedAt) conflict(`Storage ${name} of the report no longer exists`)
  return [{ volumeId: id, path }]
}

/** Everything both in the project and below the folder. */
async function ofProject(db: Db, { id, path }: DataSource, scope: Scope): Promise<SourcePlace[]> {
  const row = db
    .selectFrom('projects')
    .select('id')
    .where('id', '=', id)
    .where(showsProject(scope, postgres`id`))
  if (!(await row.executeTakeFirst())) conflict(`Project ${id} of the report no longer exists`)
  const folders = db.selectFrom('projectFolders').select(['volumeId', 'path']).where('projectId', '=', id)
  const tracked = await folders.where('currentId', 'is', null).where('isNested', '=', false).orderBy('id').execute()
  return tracked.flatMap((folder) => {
    if (isWithin(folder.path, path)) return [folder]
    return isWithin(path, folder.path) ? [{ volumeId: folder.volumeId, path }] : []
  })
}

const isWithin = (path: string, folder: string): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`)

/** Condition: a row is below one of the places. */
export const inPlaces = (places: readonly SourcePlace[]): Sql =>
  sql`(${join(
    places.map(({ volumeId, path }) => sql`(volume = ${volumeId} AND ${path === '/' ? sql`depth > 0` : below(path)})`),
    ' OR ',
    '0',
  )})`

/** Returns whether an entry can be in places of both. */
export const overlaps = (some: readonly SourcePlace[], others: readonly SourcePlace[]): boolean =>
  some.some((one) =>
    others.some(
      (other) => one.volumeId === other.volumeId && (isWithin(one.path, other.path) || isWithin(other.path, one.path)),
    ),
  )

export const volumesOf = (places: readonly SourcePlace[]): number[] => [
  ...new Set(places.map(({ volumeId }) => volumeId)),
]
