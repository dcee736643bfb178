import { sql } from 'kysely'
import { type DataSource, invalidName } from '#events/reports/templates.ts'
import { type Scope, showsPart, showsProject } from '#server/platform/callers/scope.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** The current names of storages and projects; 'Invalid' for those that are deleted or that the scope doesn't show. */
export async function namesOf(db: Db, sources: DataSource[], scope: Scope): Promise<(source: DataSource) => string> {
  const idsOf = (type: DataSource['type']) => [0, ...sources.filter((one) => one.type === type).map(({ id }) => id)]
  const volumes = db
    .selectFrom('volumes')
    .select(['id', 'name'])
    .where('id', 'in', idsOf('VOLUME'))
    .where(showsPart(scope, sql`id`))
  const projects = db
    .selectFrom('projects')
    .select(['id', 'name'])
    .where('id', 'in', idsOf('PROJECT'))
    .where(showsProject(scope, sql`id`))
  const known = {
    VOLUME: new Map((await volumes.where('deletedAt', 'is', null).execute()).map(({ id, name }) => [id, name])),
    PROJECT: new Map((await projects.execute()).map(({ id, name }) => [id, name])),
  }
  return ({ type, id }) => known[type].get(id) ?? invalidName
}
