import { sql } from 'kysely'
import type { PageQuery } from '#events/page.ts'
import { checkSort } from '#server/platform/checkSort.ts'
import type { Db } from '#server/platform/postgres.ts'
import { draftOf as settingOf } from '#server/volumes/index.ts'
import { draftOf } from './networkVolumeRow.ts'

const sortable = {
  id: sql`network_volumes.id`,
  volumeId: sql`volumes.id`,
  dataintellName: sql`lower(volumes.name)`,
  path: sql`lower(volumes.path)`,
  type: sql`network_volumes.type`,
  host: sql`lower(host)`,
  shareName: sql`lower(share_name)`,
}

/** A page of the network volumes, by name unless asked otherwise. */
export async function listNetworkVolumes(
  db: Db,
  { page, size, sort = 'dataintellName', direction = 'asc' }: PageQuery,
) {
  checkSort(sort, sortable)
  const found = db
    .selectFrom('volumes')
    .innerJoin('networkVolumes', 'networkVolumes.volumeId', 'volumes.id')
    .where('volumes.deletedAt', 'is', null)
  const rows = await found
    .selectAll('volumes')
    .select(['networkVolumes.id as shareId', 'networkVolumes.type as shareType'])
    .select(['host', 'shareName', 'options', 'credentialId'])
    .orderBy(sortable[sort], direction)
    .orderBy('networkVolumes.id', direction)
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const elements = rows.map(({ shareId, shareType: type, host, shareName, options, credentialId, ...row }) => ({
    ...draftOf(settingOf(row), { type, host, shareName, options, credentialId }),
    id: shareId,
    volumeId: row.id,
  }))
  return { elements, page, size, total, sort, direction }
}
