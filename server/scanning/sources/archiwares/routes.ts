import { sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import { archiwareMappings } from '#events/sources/archiwareMappings.ts'
import {
  archiwareClients,
  archiwareCredentialCheck,
  archiwareCredentials as credentialCalls,
  archiwareIndexNames,
  archiwarePlans,
  archiwares,
} from '#events/sources/archiwares.ts'
import { credentialTable } from '#server/platform/crud/credentials.ts'
import { crudRoutes } from '#server/platform/crud/crudRoutes.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import { route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { sourceTopics } from '../sourceTable.ts'
import { archiware, draftOf } from './archiware.ts'
import { checkCredentials, listClients, listIndexNames, listPlans } from './askServers.ts'
import { archiwareCredentials } from './credentials.ts'
import { archiwareMappingTable, mappingOf } from './mappings.ts'

export const archiwareRoutes = (platform: Platform) => [
  ...crudRoutes(platform, credentialCalls, {
    topics: ['archiwareCredentials'],
    ...credentialTable(platform, archiwareCredentials),
  }),
  ...crudRoutes(platform, archiwareMappings, archiwareMappingTable(platform.db)),
  route(archiwareMappings.ofVolume, ({ params }) => mappingOf(platform.db, params.volumeId)),
  route(archiwareIndexNames, ({ params: { id: credentialsId }, query: { serverId: agentId } }) =>
    listIndexNames(platform, { credentialsId, agentId }),
  ),
  route(archiwareCredentialCheck, ({ body }) => checkCredentials(platform, body)),
  route(archiwarePlans, () => listPlans(platform)),
  route(archiwareClients, () => listClients(platform)),
  ...crudRoutes(platform, archiwares, {
    topics: sourceTopics,
    list: (query) => listArchiwares(platform.db, query),
    ...archiware,
  }),
]

const sortable = {
  id: sql`archiwares.id`,
  name: textOrder('volumes.name'),
  path: textOrder('archiwares.path'),
  indexId: textOrder('indexId'),
}

/** A page of the indexes, by name by default. */
const listArchiwares = (db: Db, query: PageQuery) =>
  listPage(
    db,
    db
      .selectFrom('volumes')
      .innerJoin('archiwares', 'archiwares.volumeId', 'volumes.id')
      .where('volumes.deletedAt', 'is', null)
      .selectAll('volumes')
      .select(['archiwares.id as archiwareId', 'archiwares.path as folder', 'indexId', 'credentialId']),
    query,
    { sortable, sort: 'name', tie: 'archiwares.id' },
    ({ archiwareId: id, folder: path, ...row }) => ({
      ...draftOf(row, { ...row, path }),
      id,
      volumeSettingId: row.id,
    }),
  )
