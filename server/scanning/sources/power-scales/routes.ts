import { sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import { powerScaleCheck, powerScaleCredentials as calls, powerScales } from '#events/sources/powerScales.ts'
import { credentialTable } from '#server/platform/crud/credentials.ts'
import { crudRoutes } from '#server/platform/crud/crudRoutes.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import { route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { notFound } from '#server/platform/problem.ts'
import { sourceTopics } from '../sourceTable.ts'
import { powerScaleCredentials } from './credentials.ts'
import { draftOf, powerScale } from './powerScale.ts'
import { checkCluster } from './powerScaleOrder.ts'

export const powerScaleRoutes = (platform: Pick<Platform, 'db' | 'live' | 'config' | 'nats'>) => {
  const credentials = credentialTable(platform, powerScaleCredentials)
  return [
    ...crudRoutes(platform, calls, { topics: ['powerScaleCredentials'], ...credentials }),
    route(calls.one, ({ params }) => credentials.one(params.id)),
    ...crudRoutes(platform, powerScales, {
      topics: sourceTopics,
      list: (query) => listPowerScales(platform.db, query),
      ...powerScale,
    }),
    route(powerScaleCheck, ({ body }) => checkCluster(platform, body)),
    route(powerScales.one, ({ params }) => findPowerScale(platform.db, params.id)),
  ]
}

const sortable = {
  id: sql`power_scales.id`,
  dataintellName: textOrder('volumes.name'),
  path: textOrder('powerScales.path'),
  host: textOrder('host'),
}

const living = (db: Db) =>
  db
    .selectFrom('volumes')
    .innerJoin('powerScales', 'powerScales.volumeId', 'volumes.id')
    .where('volumes.deletedAt', 'is', null)
    .selectAll('volumes')
    .select(['powerScales.id as powerScaleId', 'powerScales.path as folder', 'host', 'credentialId'])
    .select(['fullSnapshotDays', 'deltaSnapshotDays', 'certificateFingerprint'])

type Row = Awaited<ReturnType<ReturnType<typeof living>['executeTakeFirstOrThrow']>>
const recordOf = ({ powerScaleId: id, folder: path, ...row }: Row) => ({
  ...draftOf(row, { ...row, path }),
  id,
  volumeSettingId: row.id,
})

/** A page of the storages, by name by default. */
const listPowerScales = (db: Db, query: PageQuery) =>
  listPage(db, living(db), query, { sortable, sort: 'dataintellName', tie: 'powerScales.id' }, recordOf)

async function findPowerScale(db: Db, id: number) {
  const row = await living(db).where('powerScales.id', '=', id).executeTakeFirst()
  return row ? recordOf(row) : notFound('Dell PowerScale storage', id)
}
