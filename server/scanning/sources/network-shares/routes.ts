import { sql } from 'kysely'
import type { PageQuery } from '#events/contract/page.ts'
import { networkCredentials, networkShares } from '#events/sources/networkShares.ts'
import { credentialTable } from '#server/platform/crud/credentials.ts'
import { crudRoutes } from '#server/platform/crud/crudRoutes.ts'
import { listPage, textOrder } from '#server/platform/crud/listPage.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { sourceTopics } from '../sourceTable.ts'
import { shareCredentials } from './credentials.ts'
import { draftOf, networkShare } from './networkShare.ts'

export const networkShareRoutes = (platform: Pick<Platform, 'db' | 'live' | 'config'>) => [
  ...crudRoutes(platform, networkCredentials, {
    topics: ['networkCredentials'],
    ...credentialTable(platform, shareCredentials),
  }),
  ...crudRoutes(platform, networkShares, {
    topics: sourceTopics,
    list: (query) => listNetworkShares(platform.db, query),
    ...networkShare,
  }),
]

const sortable = {
  id: sql`network_volumes.id`,
  volumeId: sql`volumes.id`,
  dataintellName: textOrder('volumes.name'),
  path: textOrder('volumes.path'),
  type: sql`network_volumes.type`,
  host: textOrder('host'),
  shareName: textOrder('shareName'),
}

/** A page of the network shares, by name by default. */
const listNetworkShares = (db: Db, query: PageQuery) =>
  listPage(
    db,
    db
      .selectFrom('volumes')
      .innerJoin('networkVolumes', 'networkVolumes.volumeId', 'volumes.id')
      .where('volumes.deletedAt', 'is', null)
      .selectAll('volumes')
      .select(['networkVolumes.id as shareId', 'networkVolumes.type as shareType'])
      .select(['host', 'shareName', 'options', 'credentialId']),
    query,
    { sortable, sort: 'dataintellName', tie: 'networkVolumes.id' },
    ({ shareId: id, shareType: type, host, shareName, options, credentialId, ...row }) => ({
      ...draftOf(row, { type, host, shareName, options, credentialId }),
      id,
      volumeId: row.id,
    }),
  )
