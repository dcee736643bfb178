import { sql } from 'kysely'
import type { z } from 'zod'
import type { VolumeSetting, volumeSettings } from '#events/volume-settings.ts'
import { checkSort } from '#server/platform/checkSort.ts'
import type { Db } from '#server/platform/postgres.ts'
import { settingOf } from './volumeRow.ts'

type Query = z.output<(typeof volumeSettings)['list']['query']>

const sortable = {
  id: sql`volumes.id`,
  name: sql`lower(volumes.name)`,
  path: sql`lower(volumes.path)`,
  scanType: sql`volumes.scan_type`,
  'server.name': sql`lower(agents.name)`,
  'storagePrice.description': sql`lower(storage_prices.description)`,
}

/** A page of the file storages that are set up, by name unless asked otherwise. */
export async function listVolumes(db: Db, { page, size, sort = 'name', direction = 'asc', filterType }: Query) {
  checkSort(sort, sortable)
  const matching = selectVolumes(db).$if(filterType.length > 0, (some) => some.where('volumes.type', 'in', filterType))
  const rows = await matching
    .selectAll('volumes')
    .select(names)
    .orderBy(sortable[sort], (order) => (direction === 'asc' ? order.asc().nullsFirst() : order.desc().nullsLast()))
    .orderBy('volumes.id', direction)
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { elements: rows.map(settingOf), page, size, total, sort, direction }
}

/** A file storage that is set up and not deleted. */
export async function findVolume(db: Db, id: number): Promise<VolumeSetting | undefined> {
  const found = selectVolumes(db).selectAll('volumes').select(names)
  const row = await found.where('volumes.id', '=', id).executeTakeFirst()
  return row && settingOf(row)
}

const names = [
  'agents.name as agentName',
  'storagePrices.description as priceBook',
  'networkVolumes.type as shareType',
] as const

const selectVolumes = (db: Db) =>
  db
    .selectFrom('volumes')
    .innerJoin('agents', 'agents.id', 'volumes.agentId')
    .leftJoin('storagePrices', 'storagePrices.id', 'volumes.storagePriceId')
    .leftJoin('networkVolumes', 'networkVolumes.volumeId', 'volumes.id')
    .where('volumes.deletedAt', 'is', null)
