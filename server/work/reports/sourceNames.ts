import { type DataSource, invalidName } from '#events/reports/templates.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'

/** The current names of storages and projects; 'Invalid' for deleted ones. */
export async function namesOf(db: Db, sources: DataSource[]): Promise<(source: DataSource) => string> {
  const idsOf = (type: DataSource['type']) => [0, ...sources.filter((one) => one.type === type).map(({ id }) => id)]
  const volumes = db.selectFrom('volumes').select(['id', 'name']).where('id', 'in', idsOf('VOLUME'))
  const projects = db.selectFrom('projects').select(['id', 'name']).where('id', 'in', idsOf('PROJECT'))
  const known = {
    VOLUME: new Map((await volumes.where('deletedAt', 'is', null).execute()).map(({ id, name }) => [id, name])),
    PROJECT: new Map((await projects.execute()).map(({ id, name }) => [id, name])),
  }
  return ({ type, id }) => known[type].get(id) ?? invalidName
}
